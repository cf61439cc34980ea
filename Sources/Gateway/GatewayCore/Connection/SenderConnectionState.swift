/// The state of one sender's connection, from its first bytes to its end: to which world it belongs, whether it takes
/// requests, and whether a GOAWAY is still to be sent.
///
/// It holds no socket, timer or clock. Each event is a method, and the result says what the owner of the socket does.
package enum SenderConnectionState: ~Copyable {
    /// TCP is up; TLS or HTTP/2 is not.
    case connecting(SenderIntake)
    /// A fault rule delays TLS until this time by the world's clock, in milliseconds since 1970; `Int64.max` for never.
    case held(until: Int64, SenderIntake)
    /// The connection is refused. The GOAWAY is sent behind the client's first bytes: closing a socket that has unread
    /// bytes resets it, and the client loses the reason.
    case refused(GoAway)
    case serving(SenderIntake)
    /// GOAWAY is sent. Requests received before it are still answered.
    case leaving(SenderIntake)
    /// A fault rule has sent GOAWAY. The connection closes when every answer is sent.
    case closing(SenderIntake)
    /// A fault rule has stopped it in both directions; the socket stays open.
    case silent
    case ended

    /// - Parameters:
    ///   - port: The world of the port; nil where senders choose.
    ///   - standard: The world of senders that name none.
    package init(port: WorldName?, standard: WorldName) {
        self = .connecting(port.map { .chosen(SenderRoute($0)) } ?? .open(standard))
    }
}

/// What happens before the first request.
extension SenderConnectionState {
    package enum OnStart: Equatable {
        /// A fault rule may delay TLS: `hold(until:)`.
        case askFaultRules
        case proceed
    }

    /// The first bytes have come.
    package borrowing func started() -> OnStart {
        switch self {
        case .connecting: .askFaultRules
        default: .proceed
        }
    }

    /// A fault rule delays TLS.
    package mutating func hold(until due: Int64) {
        switch consume self {
        case .connecting(let intake): self = .held(until: due, intake)
        case let unchanged: self = unchanged
        }
    }

    /// When TLS begins, where a fault rule delays it.
    package var heldUntil: Int64? {
        switch self {
        case .held(let due, _): due
        default: nil
        }
    }

    package enum OnTime: Equatable { case resumeHandshake, nothing }

    /// The world's clock shows `now`.
    package mutating func timePassed(to now: Int64) -> OnTime {
        switch consume self {
        case .held(let due, let intake) where due <= now:
            self = .connecting(intake)
            return .resumeHandshake
        case let unchanged:
            self = unchanged
            return .nothing
        }
    }

    /// The connection is refused before it takes a request. The first reason stays.
    package mutating func refuse(_ goAway: GoAway) {
        switch consume self {
        case .connecting: self = .refused(goAway)
        case let unchanged: self = unchanged
        }
    }

    package enum OnHandshake: Equatable {
        /// Requests go to this world. If it cannot be made: `worldMissing`.
        case enter(WorldName)
        /// The host name ends with `.localhost` and names no world, so no request is judged.
        case invalidHost(String)
        case nothing
    }

    /// TLS is up; `host` is the name that the client asked for. `opened` follows.
    package mutating func handshakeDone(host: String?) -> OnHandshake {
        guard let host else { return .nothing }
        switch consume self {
        case .connecting(.open(let standard)) where !WorldName.isInvalid(host: host):
            let name = WorldName(host: host)
            self = .connecting(name.map { .chosen(SenderRoute($0)) } ?? .open(standard))
            return name.map { .enter($0) } ?? .nothing
        case let unchanged:
            self = unchanged
            return WorldName.isInvalid(host: host) ? .invalidHost(host) : .nothing
        }
    }

    package enum OnOpen: Equatable {
        /// It is refused: close it after a while if the client sends nothing.
        case closeAfterGrace
        case nothing
    }

    /// HTTP/2 is up.
    package mutating func opened() -> OnOpen {
        switch consume self {
        case .connecting(let intake):
            self = .serving(intake)
            return .nothing
        case .refused(let goAway):
            self = .refused(goAway)
            return .closeAfterGrace
        case let unchanged:
            self = unchanged
            return .nothing
        }
    }
}

/// What requests do.
extension SenderConnectionState {
    package enum OnInput: Equatable {
        case handle
        /// Send this GOAWAY with the last stream 0, and ignore the input.
        case refuse(GoAway)
    }

    /// A batch of input has come.
    package mutating func received() -> OnInput {
        // Asks first, so that the usual batch does not move the state out and back.
        guard isRefused else { return .handle }
        guard case .refused(let goAway) = consume self else { preconditionFailure("checked above") }
        self = .leaving(.none)
        return .refuse(goAway)
    }

    private var isRefused: Bool {
        switch self {
        case .refused: true
        default: false
        }
    }

    package enum OnHead: Equatable {
        case take(isMisdirected: Bool)
        /// Take it, in this world. If it cannot be made: `worldMissing`.
        case enter(WorldName)
        case ignore
    }

    /// The head of a request has come. The first one may choose the world, as TLS could have; a later one that names
    /// another world is misdirected: its client uses one connection for several hosts.
    ///
    /// - Parameters:
    ///   - authority: The value of `:authority`.
    ///   - isHostInvalid: Whether `handshakeDone` returned `invalidHost`.
    package mutating func head(_ authority: String?, isHostInvalid: Bool) -> OnHead {
        if let isMisdirected = isMisdirected(authority) { return .take(isMisdirected: isMisdirected) }
        return headOfOther(authority, isHostInvalid: isHostInvalid)
    }

    /// Apart from `head`, so that the usual request does not move the state out and back.
    @inline(never)
    private mutating func headOfOther(_ authority: String?, isHostInvalid: Bool) -> OnHead {
        switch consume self {
        case .serving(var intake):
            let answer = intake.head(authority, isHostInvalid: isHostInvalid)
            self = .serving(intake)
            return answer
        case .leaving(var intake):
            let answer = intake.head(authority, isHostInvalid: isHostInvalid)
            self = .leaving(intake)
            return answer
        case .closing(var intake):
            let answer = intake.head(authority, isHostInvalid: isHostInvalid)
            self = .closing(intake)
            return answer
        case let unchanged:
            self = unchanged
            return .ignore
        }
    }

    /// The answer for an `:authority` that is the same as the one before; nil for any other.
    @inline(__always)
    private func isMisdirected(_ authority: String?) -> Bool? {
        switch self {
        case .serving(let intake): intake.isMisdirected(authority)
        case .leaving(let intake): intake.isMisdirected(authority)
        case .closing(let intake): intake.isMisdirected(authority)
        default: nil
        }
    }

    package enum OnMissingWorld: Equatable {
        /// Send this GOAWAY with the last stream 0, and close after a while.
        case refuse(GoAway)
        case nothing
    }

    /// The world that `handshakeDone` or `head` chose cannot be made, so no request is judged.
    package mutating func worldMissing(_ goAway: GoAway) -> OnMissingWorld {
        switch consume self {
        case .connecting:
            self = .refused(goAway)
            return .nothing
        case .serving:
            self = .leaving(.none)
            return .refuse(goAway)
        case .leaving: self = .leaving(.none)
        case .closing: self = .closing(.none)
        case let unchanged: self = unchanged
        }
        return .nothing
    }

    package enum OnRequests: Equatable { case first, more }

    /// At least one request is complete.
    package mutating func requestsCompleted() -> OnRequests {
        guard isUnused else { return .more }
        switch consume self {
        case .serving(.chosen(let route)): self = .serving(.used(route))
        case .leaving(.chosen(let route)): self = .leaving(.used(route))
        case .closing(.chosen(let route)): self = .closing(.used(route))
        case let unchanged: self = unchanged
        }
        return .first
    }

    private var isUnused: Bool {
        switch self {
        case .serving(let intake): intake.isUnused
        case .leaving(let intake): intake.isUnused
        case .closing(let intake): intake.isUnused
        default: false
        }
    }
}

/// How it ends.
extension SenderConnectionState {
    package enum OnLeave: Equatable {
        /// Send GOAWAY with the last stream that was taken, and close when all is answered or the grace is over.
        case sendGoAway
        /// Close when all is answered or the grace is over.
        case closeAfterGrace
        case closeAtOnce
        case nothing
    }

    /// The gateway or its world ends, or the connection was idle for too long.
    package mutating func leave(_ goAway: GoAway) -> OnLeave {
        switch consume self {
        case .connecting:
            self = .refused(goAway)
            return .nothing
        case .serving(let intake):
            self = .leaving(intake)
            return .sendGoAway
        case .closing(let intake):
            self = .closing(intake)
            return .closeAfterGrace
        case .held(let due, let intake):
            self = .held(until: due, intake)
            return .closeAtOnce
        case .silent:
            self = .silent
            return .closeAtOnce
        case let unchanged:
            self = unchanged
            return .nothing
        }
    }

    package enum OnGraceOver: Equatable {
        case close
        /// The client has sent nothing: send this GOAWAY with the last stream 0, and close.
        case refuseAndClose(GoAway)
    }

    /// The time to close has come.
    package mutating func graceOver() -> OnGraceOver {
        if case .refuse(let goAway) = received() { .refuseAndClose(goAway) } else { .close }
    }

    package enum OnFaultGoAway: Equatable { case close, nothing }

    /// A fault rule has sent GOAWAY.
    package mutating func faultSentGoAway(_ closing: GoAwayFault.Closing) -> OnFaultGoAway {
        switch closing {
        case .never: return .nothing
        case .now: return .close
        case .whenDone:
            switch consume self {
            case .serving(let intake): self = .closing(intake)
            case let unchanged: self = unchanged
            }
            return .nothing
        }
    }

    /// A fault rule has stopped the connection in both directions.
    package mutating func fellSilent() {
        switch consume self {
        case .ended: self = .ended
        case _: self = .silent
        }
    }

    package mutating func connectionEnded() { self = .ended }

    /// Whether requests that take too long and idle time end anything.
    package var isServing: Bool {
        switch self {
        case .serving: true
        default: false
        }
    }

    /// Whether the connection closes as soon as every answer is sent.
    package var isClosing: Bool {
        switch self {
        case .closing: true
        default: false
        }
    }
}
