import PushDispatch
import SelectiveSync

/// The app's own code around the two libraries.
extension AppProcess {
    /// When the device comes back online, the app fetches the records of waiting hints.
    func networkChanged(wasOffline: Bool) {
        start { [self] in
            await reportNetwork()
            guard device.network != .offline, wasOffline else { return }
            _ = await work { await sync.drain(until: clock.now().advanced(byMilliseconds: 20_000)) }
        }
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

    func work<Result>(_ body: () async -> Result) async -> Result {
        beginSync()
        defer { endSync() }
        return await body()
    }

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
            let report = await work {
                await sync.regularSync(
                    of: object, from: AuditedRegularSource(client: source), policy: run.settings.regular,
                    now: device.wallClock,
                    until: clock.now().advanced(byMilliseconds: milliseconds), checksGhosts: checksGhosts)
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
                    try await sync.logOut()
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
