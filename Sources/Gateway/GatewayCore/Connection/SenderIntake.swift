/// How a connection takes requests.
package enum SenderIntake: Hashable, Sendable {
    /// The first request chooses the world; until then the connection belongs to this one.
    case open(WorldName)
    /// The world is chosen, by the port, by the host name of TLS or by a request. No request is complete yet.
    case chosen(SenderRoute)
    /// A request is complete.
    case used(SenderRoute)
    /// The world cannot be made. No request is judged.
    case none

    /// Whether its world is chosen and none of its requests is complete.
    @inline(__always)
    var isUnused: Bool { if case .chosen = self { true } else { false } }

    /// The answer for an `:authority` that is the same as the one before; nil for any other.
    @inline(__always)
    func isMisdirected(_ authority: String?) -> Bool? {
        switch self {
        case .chosen(let route), .used(let route): route.authority == authority ? route.isMisdirected : nil
        case .open, .none: nil
        }
    }

    mutating func head(_ authority: String?, isHostInvalid: Bool) -> SenderConnectionState.OnHead {
        let isInvalid = isHostInvalid || authority.map { WorldName.isInvalid(authority: $0) } ?? false
        let name = authority.flatMap { WorldName(authority: $0) }
        switch self {
        case .none: return .ignore
        case .open(let standard):
            let world = isInvalid ? standard : name ?? standard
            self = .chosen(SenderRoute(world, authority: authority, isMisdirected: isInvalid))
            return world == standard ? .take(isMisdirected: isInvalid) : .enter(world)
        case .chosen(let route):
            let next = route.next(authority, name, isInvalid: isInvalid)
            self = .chosen(next)
            return .take(isMisdirected: next.isMisdirected)
        case .used(let route):
            let next = route.next(authority, name, isInvalid: isInvalid)
            self = .used(next)
            return .take(isMisdirected: next.isMisdirected)
        }
    }
}

/// The world of a connection, and whether its requests name it.
package struct SenderRoute: Hashable, Sendable {
    let world: WorldName
    /// The `:authority` of the last request; nil before the first.
    let authority: String?
    /// Whether `authority` names another world, or none that can exist.
    let isMisdirected: Bool

    init(_ world: WorldName, authority: String? = nil, isMisdirected: Bool = false) {
        self.world = world
        self.authority = authority
        self.isMisdirected = isMisdirected
    }

    func next(_ authority: String?, _ name: WorldName?, isInvalid: Bool) -> SenderRoute {
        SenderRoute(world, authority: authority, isMisdirected: isInvalid || name.map { $0 != world } ?? false)
    }
}
