import APNSModel
import GatewayCore
import GatewayJSON
package import GatewayRuntime

/// The control API without HTTP: a request in, an answer out.
package struct ControlAPI: Sendable {
    /// The world that the request is about.
    let state: LiveWorld
    let worlds: Worlds
    let access: ControlGuard
    /// What stands before the paths of the world: empty, or `/w/{name}`.
    private(set) var base = ""

    /// - Parameter access: Who may use it.
    package init(_ worlds: Worlds, _ access: ControlGuard) {
        self.init(worlds.standard, worlds, access)
    }

    private init(_ state: LiveWorld, _ worlds: Worlds, _ access: ControlGuard, base: String = "") {
        self.state = state
        self.worlds = worlds
        self.access = access
        self.base = base
    }

    func answer(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        try access.check(request)
        let (name, path) = try ControlAPI.split(request.path)
        let found = ControlOperation.find(path).filter { name == nil || !$0.operation.isOfGateway }
        guard !found.isEmpty else { throw .notFound }
        guard let (operation, arguments) = found.first(where: { $0.operation.method == request.method }) else {
            throw .methodNotAllowed(request.method, found.map(\.operation.method))
        }
        do {
            // The page of a world makes none; what it asks the API for does.
            return try operation.perform(path == "/" ? self : try api(of: name), request, arguments)
        } catch let fault as RegistrationError {
            throw Problem(fault)
        } catch let fault as Worlds.CreationError {
            throw Problem(fault)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(500, "Internal error", "the gateway could not answer; please report this")
        }
    }

    /// Makes the world where there is none.
    private func api(of name: WorldName?) throws(Worlds.CreationError) -> ControlAPI {
        guard let name else { return self }
        return ControlAPI(try worlds.world(name), worlds, access, base: "/w/\(name)")
    }

    /// The world that a path is about, where there is one.
    func world(of path: String) -> LiveWorld? {
        guard let name = (try? ControlAPI.split(path))?.name else { return state }
        return worlds.existing(name)
    }

    private static let worldPrefix = "/w/"

    /// Takes `/w/{name}` off a path.
    private static func split(_ path: String) throws(Problem) -> (name: WorldName?, path: String) {
        guard path.hasPrefix(worldPrefix) else { return (nil, path) }
        let rest = path.dropFirst(worldPrefix.count)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let name = WorldName(rest[..<end]) else { throw .badWorldName(String(rest[..<end])) }
        return (name, end == rest.endIndex ? "/" : String(rest[end...]))
    }

    func reset() -> ControlAnswer {
        state.reset()
        return .noContent
    }

    /// The environment of the query or of the gateway.
    func environment(_ parameters: [String: String]) throws(Problem) -> APNSEnvironment {
        guard let text = parameters["environment"] else { return state.environment }
        guard let environment = APNSEnvironment(rawValue: text) else {
            throw .badParameter("environment", "sandbox or production")
        }
        return environment
    }

    /// A number of the query that is at least 1.
    func limit(_ parameters: [String: String], maximum: Int) throws(Problem) -> Int? {
        guard let text = parameters["limit"] else { return nil }
        guard let limit = Int(text), (1...maximum).contains(limit) else {
            throw .badParameter("limit", "a number from 1 to \(maximum)")
        }
        return limit
    }

    /// `next` of the page before.
    func cursor(_ parameters: [String: String]) throws(Problem) -> UInt64? {
        guard let text = parameters["cursor"] else { return nil }
        guard let cursor = UInt64(text) else {
            throw .badParameter("cursor", "the value of \"next\" of the page before")
        }
        return cursor
    }

    /// Every path with its methods, for a person.
    static let index: String = {
        var text = "apns-toolkit gateway simulator, control API\n\n"
        for operation in ControlOperation.all {
            let call = operation.method.padded(7) + operation.path
            text += "\(call.padded(48)) \(operation.summary)\n"
        }
        return text
            + "\nWhat does not concern the gateway as a whole is also below /w/{name}, for a world of its own.\n"
    }()
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
