import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import GatewayRuntime
import GatewayStore
import Logging

/// The worlds at the start of a gateway: those of the configuration and those of the store.
extension GatewayServer {
    func storeQueue() throws(GatewayError) -> StoreQueue? {
        guard let path = configuration.store else { return nil }
        do throws(GatewayError) {
            return try StoreQueue(path: path, logger: configuration.logger)
        } catch {
            throw error.about(.store)
        }
    }

    func worlds(
        _ credentials: DevelopmentCredentials, _ store: StoreQueue?, real: Int64,
        delegate makeDelegate: @escaping @Sendable () -> any LiveWorldDelegate
    ) throws(GatewayError) -> Worlds {
        let recorder = try configuration.record.map { path throws(GatewayError) in
            do throws(GatewayError) {
                return try Recorder(
                    path: path, maximumBytes: configuration.recordBytes, files: configuration.recordFiles,
                    logger: configuration.logger)
            } catch {
                throw error.about(.record)
            }
        }
        let names = try store?.worldNames() ?? []
        let configured = [.standard] + configuration.namedWorlds.map(\.name)
        let others = names.filter { !configured.contains($0) }
        guard configured.count + others.count <= configuration.worlds else {
            throw GatewayError(
                .badConfiguration,
                "there are \(configured.count + others.count) worlds with those of the store, and --worlds is "
                    + "\(configuration.worlds); start with more, or with another file for the store")
        }
        let memory = MemoryBudget(limit: configuration.memory)
        let files = WorldFile.Reader(configuration, credentials)
        let keeping = Keeping(store: store, files: files, recorder: recorder, memory: memory)
        let worlds = Worlds(
            try state(.standard, configuration, credentials, keeping, real: real, makeDelegate()),
            configuration.worldStart(credentials), seed: configuration.seed, maximum: configuration.worlds,
            recorder: recorder, memory: memory, webhooks: configuration.webhooks,
            WebhookTLS(configuration.webhookTrust), fileReader: files, delegate: makeDelegate)
        for world in configuration.namedWorlds {
            worlds.add(
                try state(world.name, world.configuration, credentials, keeping, real: real, makeDelegate()),
                isFixed: true)
        }
        for name in others {
            guard let store, let snapshot = try store.snapshot(of: name) else { continue }
            let setup = snapshot.core.setup ?? WorldSetup()
            let start = try files.start(of: name, setup, in: store.path) ?? worlds.start(of: name, setup)
            worlds.add(
                LiveWorld(
                    try store.world(name, start, snapshot, clockMode: nil, real: real),
                    environment: setup.environment ?? configuration.environment, name: name, storeQueue: store,
                    recorder: recorder, memory: memory, delegate: makeDelegate()), isFixed: false)
        }
        return worlds
    }

    /// What all worlds share to keep what happens in them.
    private struct Keeping {
        let store: StoreQueue?
        /// Reads the files that worlds of the store were made of.
        let files: WorldFile.Reader
        let recorder: Recorder?
        let memory: MemoryBudget
    }

    /// A new world in memory or, if there is a store, the stored one.
    private func state(
        _ name: WorldName, _ configuration: GatewayConfiguration, _ credentials: DevelopmentCredentials,
        _ keeping: Keeping, real: Int64, _ delegate: any LiveWorldDelegate
    ) throws(GatewayError) -> LiveWorld {
        let snapshot = try keeping.store?.snapshot(of: name)
        let start = try configuredStart(of: name, configuration, credentials, keeping, snapshot)
        if snapshot == nil { reportFaultsOver(start, in: name, real: real) }
        let world: World
        if let store = keeping.store {
            // A file that was imported may name another seed.
            if let stored = snapshot?.core.seed, let seed = configuration.seed, seed == start.settings.seed,
                seed != stored
            {
                throw GatewayError(
                    .badStore,
                    "the world \(name) of \(store.path) was created with the seed \(stored), the source of its ids; "
                        + "leave out the seed, or name another file for the store")
            }
            // And another clock.
            let overridesClock = configuration.overridesStoredClock && configuration.clock.mode == start.clock.mode
            world = try store.world(
                name, start, snapshot, clockMode: overridesClock ? configuration.clock.mode : nil, real: real)
        } else {
            do throws(RegistrationError) {
                world = try World(start, real: real)
            } catch {
                throw GatewayError(registering: error)
            }
        }
        return LiveWorld(
            world, environment: configuration.environment, name: name, storeQueue: keeping.store,
            recorder: keeping.recorder, memory: keeping.memory, delegate: delegate)
    }

    /// What a world of the configuration begins with. Once a file was imported into it, that is what the file says.
    private func configuredStart(
        of name: WorldName, _ configuration: GatewayConfiguration, _ credentials: DevelopmentCredentials,
        _ keeping: Keeping, _ snapshot: WorldSnapshot?
    ) throws(GatewayError) -> WorldStart {
        if let store = keeping.store, var setup = snapshot?.core.setup {
            setup.environment = configuration.environment
            if let imported = try keeping.files.start(of: name, setup, in: store.path) { return imported }
        }
        var start = configuration.worldStart(credentials)
        start.faults.removeAll { !$0.isFor(name) }
        start.setup.environment = configuration.environment
        if name != .standard { (start.setup.devices, start.setup.clock) = (configuration.devices, configuration.clock) }
        return start
    }

    /// A configuration is used for longer than a fault rule that ends at a time: it stays good, without the rule.
    private func reportFaultsOver(_ start: WorldStart, in name: WorldName, real: Int64) {
        let count = start.faultsOver(real: real).count
        guard count > 0 else { return }
        configuration.logger.notice(
            "The world \(name) begins without \(count) of its fault rules: \"until\" is over by the world's clock.")
    }
}
