import APNSModel
import GatewayCore
import Synchronization

/// The worlds of one gateway by name. Each is made when it is first asked for, and none knows of the others.
final class Worlds: Sendable {
    enum Fault: Error, Hashable, Sendable {
        /// There are as many as there may be.
        case full(Int)
        case taken(WorldName)
    }

    /// What a world begins with; nil is as the gateway was started.
    struct Setup: Sendable {
        var environment: APNSEnvironment?
        var seed: UInt64?
        var clock: WorldClock?
        var devices: WorldSettings.DeviceRegistration?
    }

    private struct Shared {
        var named: [WorldName: GatewayState] = [:]
        /// Called with each new world before anybody else has it.
        var made: [@Sendable (GatewayState) -> Void] = []
    }

    /// The world of those that name none.
    let standard: GatewayState
    /// How many there may be, the standard one included.
    let maximum: Int
    private let start: WorldStart
    private let shared = Mutex(Shared())

    /// How many journal entries a named world keeps at most: there may be a great many worlds.
    static let maximumRetained = 2000

    init(_ start: WorldStart, environment: APNSEnvironment, maximum: Int) throws(RegistrationFault) {
        standard = try GatewayState(start, environment: environment)
        self.start = start
        self.maximum = maximum
    }

    /// Has `tell` called with the standard world now and with every other once it is made.
    func onMade(_ tell: @escaping @Sendable (GatewayState) -> Void) {
        let known = shared.withLock { shared in
            shared.made.append(tell)
            return Array(shared.named.values)
        }
        for state in [standard] + known { tell(state) }
    }

    /// The world of this name, which is made if there is none.
    func world(_ name: WorldName) throws(Fault) -> GatewayState {
        if let known = existing(name) { return known }
        return try make(name, Setup(), takesExisting: true)
    }

    func existing(_ name: WorldName) -> GatewayState? {
        name == .standard ? standard : shared.withLock { $0.named[name] }
    }

    /// Makes a world that is not there yet.
    func make(_ name: WorldName, _ setup: Setup) throws(Fault) -> GatewayState {
        guard name != .standard else { throw .taken(name) }
        return try make(name, setup, takesExisting: false)
    }

    /// Makes a world with a start of its own, before there are senders.
    func add(_ name: WorldName, _ start: WorldStart, environment: APNSEnvironment) throws(RegistrationFault) {
        let state = try GatewayState(start, environment: environment, name: name)
        shared.withLock { $0.named[name] = state }
    }

    private func make(_ name: WorldName, _ setup: Setup, takesExisting: Bool) throws(Fault) -> GatewayState {
        var start = start
        start.settings.seed = setup.seed ?? seed(of: name)
        start.settings.retain = min(start.settings.retain, Worlds.maximumRetained)
        start.settings.deviceRegistration = setup.devices ?? start.settings.deviceRegistration
        start.clock = setup.clock ?? start.clock
        // What registered in the standard world registers in this one; only the time of a fault rule can be over.
        let environment = setup.environment ?? standard.environment
        let state: GatewayState
        if let whole = try? GatewayState(start, environment: environment, name: name) {
            state = whole
        } else {
            start.faults = []
            guard let rest = try? GatewayState(start, environment: environment, name: name) else {
                preconditionFailure("a world can be made of what another was made of")
            }
            state = rest
        }
        let maximum = maximum
        let (result, made) = try shared.withLock { (shared) throws(Fault) in
            if let known = shared.named[name] {
                guard takesExisting else { throw .taken(name) }
                return (known, [] as [@Sendable (GatewayState) -> Void])
            }
            guard shared.named.count + 1 < maximum else { throw .full(maximum) }
            shared.named[name] = state
            return (state, shared.made)
        }
        for tell in made { tell(result) }
        return result
    }

    /// The same name has the same seed in every run of a gateway with the same seed.
    private func seed(of name: WorldName) -> UInt64 {
        name.text.utf8.reduce(SeededGenerator.mix(start.settings.seed &+ 3)) { SeededGenerator.mix($0 ^ UInt64($1)) }
    }

    /// Takes a world away from those that ask for it; who has it still has it.
    func remove(_ name: WorldName) -> GatewayState? { shared.withLock { $0.named.removeValue(forKey: name) } }

    /// All worlds by name.
    var all: [GatewayState] {
        let named = shared.withLock { Array($0.named.values) }
        return ([standard] + named).sorted { $0.name.text < $1.name.text }
    }

    var count: Int { shared.withLock { $0.named.count } + 1 }

    /// Does something in every world, in no order.
    func forEach(_ body: (GatewayState) -> Void) {
        body(standard)
        for state in shared.withLock({ Array($0.named.values) }) { body(state) }
    }
}
