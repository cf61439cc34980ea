import PushDispatch
import SelectiveSync

/// The app's own code around the two libraries.
extension AppProcess {
    /// When the device comes back online, the app fetches the records of waiting hints.
    func networkChanged(wasOffline: Bool) {
        start { [self] in
            await reportNetwork()
            guard device.network != .offline, wasOffline else { return }
            await drain(within: 20_000)
        }
    }

    /// Fetches the records of waiting hints, whoever is logged in.
    func drain(within milliseconds: Int64) async {
        let stopAt = clock.now().advanced(byMilliseconds: milliseconds)
        _ = await work(until: stopAt) { await sync.drain(until: stopAt) }
    }

    /// One loop reports the network state, because two tasks would report changes in no fixed order.
    func reportNetwork() async {
        guard !isReportingNetwork else { return }
        isReportingNetwork = true
        while reportedNetwork != device.network {
            let network = device.network
            await sync.networkChanged(to: network)
            reportedNetwork = network
        }
        isReportingNetwork = false
    }

    func drainLater(within milliseconds: Int64) {
        ready { [self] in
            start { [self] in
                if clock.isRunning { await drain(within: milliseconds) }
            }
        }
    }

    /// Runs a call to the sync that ends at a time. A slow store may delay that for some minutes.
    func work<Result>(until stopAt: DispatchMoment, _ body: () async -> Result) async -> Result {
        beginSync()
        let limit = run.timeline.at(stopAt.milliseconds + AppProcess.maximumDelay) { [self] in
            guard clock.isRunning else { return }
            run.reportViolation("\(device.name): a fetch or sync has not ended, although its time is over")
        }
        defer {
            run.timeline.cancel(limit)
            endSync()
        }
        return await body()
    }

    private static let maximumDelay: Int64 = 300_000

    /// - Parameter then: Receives the reports of all objects, unless the process ends before.
    func regularSync(
        checksGhosts: Bool, within milliseconds: Int64,
        then: @escaping @Sendable ([String: RegularSyncReport]) -> Void = { _ in }
    ) {
        ready { [self] in
            start { [self] in then(await regularSyncs(checksGhosts: checksGhosts, within: milliseconds)) }
        }
    }

    func regularSyncs(checksGhosts: Bool, within milliseconds: Int64) async -> [String: RegularSyncReport] {
        var reports: [String: RegularSyncReport] = [:]
        for object in AppProcess.objects {
            guard clock.isRunning else { break }
            run.count(.regularSync)
            run.trace("\(device.name) begins a regular sync of \(object)\(checksGhosts ? ", including ghosts" : "")")
            let stopAt = clock.now().advanced(byMilliseconds: milliseconds)
            let report = await work(until: stopAt) {
                await sync.regularSync(
                    of: object, from: AuditedRegularSource(client: source), policy: run.settings.regular,
                    now: device.wallClock, until: stopAt, checksGhosts: checksGhosts)
            }
            guard clock.isRunning else { break }
            run.trace(
                "\(device.name)'s regular sync of \(object) is \(report.state.rawValue), \(report.changed) changed")
            reports[object] = report
        }
        return reports
    }

    /// Logs the user out, or another user in. The dispatcher first has no user, so that no push is handled in between.
    func logIn(_ user: RecordID?, discardingEdits: Bool) {
        ready { [self] in
            guard clock.isRunning, !isSwitching, user != device.account else { return }
            isSwitching = true
            run.count(.userChange)
            run.trace("\(device.name): \(user.map { "\(run.name($0)) logs in" } ?? "the user logs out")")
            start { [self] in await changeUser(to: user, discardingEdits) }
        }
    }

    private func changeUser(to user: RecordID?, _ discardingEdits: Bool) async {
        let former = device.account
        for wake in wakes { wake.hasUserChanged = true }
        defer { isSwitching = false }
        // If this throws, the store drops the hints when its own user changes.
        try? await dispatcher.userChanged(to: .loggedOut)
        guard clock.isRunning else { return }
        await closeSession()
        guard clock.isRunning else { return }
        device.account = nil
        while clock.isRunning {
            do {
                if let user {
                    loggedOutSince = nil
                    try await logInToSync(user, discardingEdits: discardingEdits)
                } else {
                    try await changingUser { try await sync.logOut() }
                    loggedOutSince = run.timeline.now
                    device.audit.forgetCauses()
                }
                return await changed(to: user)
            } catch is SyncStoreError {
                run.trace("\(device.name): the change of user is refused, because edits would be lost")
                return await changed(to: former)
            } catch {
                await clock.pass(500)
            }
        }
    }

    /// Runs a call to the sync that changes its user. No request may be sent meanwhile.
    func changingUser(_ call: () async throws -> Void) async throws {
        store.userChangeSince = run.timeline.now
        defer { store.userChangeSince = nil }
        try await call()
    }

    private func changed(to user: RecordID?) async {
        guard clock.isRunning else { return }
        device.account = user
        guard let user else { return }
        await openSession(for: user)
        while clock.isRunning {
            do {
                return try await dispatcher.userChanged(to: .user(user.description))
            } catch {
                await clock.pass(500)
            }
        }
    }
}
