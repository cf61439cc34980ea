import APNSModel
import GatewayCore
import GatewayJSON
package import GatewayRuntime

/// The control API without HTTP: it turns a request into an answer.
package struct ControlAPI: Sendable {
    /// The world that the request is about.
    let state: LiveWorld
    let worlds: Worlds
    let access: ControlGuard
    /// Why senders cannot connect, or refuse to; nil while they can.
    let connectionProblem: @Sendable () -> String?
    /// The prefix of the world's paths: empty, or `/w/{name}`.
    private(set) var base = ""

    /// - Parameters:
    ///   - access: Which requests are allowed.
    ///   - connectionProblem: Why senders cannot connect, or refuse to; nil while they can.
    package init(
        _ worlds: Worlds, _ access: ControlGuard, connectionProblem: @escaping @Sendable () -> String? = { nil }
    ) {
        self.init(worlds.standard, worlds, access, connectionProblem)
    }

    private init(
        _ state: LiveWorld, _ worlds: Worlds, _ access: ControlGuard,
        _ connectionProblem: @escaping @Sendable () -> String?, base: String = ""
    ) {
        self.state = state
        self.worlds = worlds
        self.access = access
        self.connectionProblem = connectionProblem
        self.base = base
    }

    /// An allowed request whose operation is known.
    struct Call: Sendable {
        let operation: ControlOperation
        /// The values of the path's parameters.
        let arguments: [String]
        /// The values of the query's parameters, all of which the operation declares.
        let parameters: [String: String]
        /// The world that the path names; nil where it names none.
        let world: WorldName?
        /// Whether it is for the inspector page.
        let isForPage: Bool
    }

    /// Decides from the head of a request what it calls, so that nothing more is read of one that is refused.
    func call(_ request: ControlRequest) throws(Problem) -> Call {
        let (name, path): (WorldName?, String)
        do throws(Problem) {
            (name, path) = try ControlAPI.split(request.path)
        } catch {
            try access.check(request)
            throw error
        }
        try access.check(request, worldToken: (name ?? named(in: path)).flatMap { worlds.existing($0)?.token })
        let found = ControlOperation.find(path).filter { name == nil || !$0.operation.isOfGateway }
        guard !found.isEmpty else { throw .notFound }
        guard let (operation, arguments) = found.first(where: { $0.operation.method == request.method }) else {
            throw .methodNotAllowed(request.method, found.map(\.operation.method))
        }
        let parameters = try request.readParameters(operation.queryParameters)
        return Call(
            operation: operation, arguments: arguments, parameters: parameters, world: name, isForPage: path == "/")
    }

    /// - Parameter request: With its complete body.
    /// - Returns: The answer, and the world that it is about.
    func answer(_ call: Call, _ request: ControlRequest) throws(Problem) -> (ControlAnswer, LiveWorld) {
        do {
            var request = request
            request.parameters = call.parameters
            // The page of a world that does not exist yet waits for it.
            let api = call.isForPage ? self : try api(of: call.world, for: request)
            return (try call.operation.perform(api, request, call.arguments), api.state)
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

    /// A web page of another site can send GET, so only POST makes a world that does not exist.
    private func api(of name: WorldName?, for request: ControlRequest) throws -> ControlAPI {
        guard let name else { return self }
        let world = request.method == "POST" ? try worlds.world(name) : worlds.existing(name)
        guard let world else { throw Problem.noWorld(name.text) }
        // It may have been made since the head of the request was let in.
        try access.check(request, worldToken: world.token)
        world.noteUse()
        return ControlAPI(world, worlds, access, connectionProblem, base: "/w/\(name)")
    }

    /// The worlds that a request about all worlds is about: those that it could also name.
    func openWorlds(to request: ControlRequest) -> [LiveWorld] {
        worlds.all.filter { access.opens($0.token, to: request) }
    }

    private static let worldPrefix = "/w/"
    private static let worldsPrefix = "/api/worlds/"

    /// The world that an operation on it as a whole names.
    private func named(in path: String) -> WorldName? {
        path.hasPrefix(ControlAPI.worldsPrefix) ? WorldName(path.dropFirst(ControlAPI.worldsPrefix.count)) : nil
    }

    /// Removes `/w/{name}` from a path.
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

    /// The environment in the query, or the gateway's.
    func environment(_ parameters: [String: String]) throws(Problem) -> APNSEnvironment {
        guard let text = parameters["environment"] else { return state.environment }
        guard let environment = APNSEnvironment(rawValue: text) else {
            throw .badParameter("environment", "must be sandbox or production")
        }
        return environment
    }

    /// A number in the query, at least 1.
    func limit(_ parameters: [String: String], maximum: Int) throws(Problem) -> Int? {
        guard let text = parameters["limit"] else { return nil }
        guard let limit = Int(text), (1...maximum).contains(limit) else {
            throw .badParameter("limit", "must be a number from 1 to \(maximum)")
        }
        return limit
    }

    /// The value of `next` of the previous page.
    func cursor(_ parameters: [String: String]) throws(Problem) -> UInt64? {
        guard let text = parameters["cursor"] else { return nil }
        guard let cursor = UInt64(text) else {
            throw .badParameter("cursor", "must be the value of \"next\" of the previous page")
        }
        return cursor
    }

    /// Every path with its methods, as text.
    static let index: String = {
        var text = "apns-toolkit gateway simulator, control API\n\n"
        for operation in ControlOperation.all {
            let call = operation.method.padded(7) + operation.path
            text += "\(call.padded(48)) \(operation.summary)\n"
        }
        return text
            + "\nPaths that do not concern the gateway as a whole also exist below /w/{name}, for that world.\n"
    }()
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
