public import PushDispatch

extension CRMSync {
    /// Uploads the user's edits and brings every object up to date. Call it at launch and whenever the user asks for it; the
    /// foreground and the background task call it by themselves. Even without pushes it keeps the app up to date.
    ///
    /// - Parameter milliseconds: No request starts later than this. It counts from this call.
    @discardableResult
    public nonisolated(nonsending) func refresh(within milliseconds: Int64 = 25_000) async -> CRMRefreshReport {
        await refresh(until: moment(in: milliseconds))
    }

    /// Uploads the user's edits. The system gives time for it after the app has gone to the background.
    ///
    /// - Parameter milliseconds: No request starts later than this. It counts from this call.
    @discardableResult
    public nonisolated(nonsending) func upload(within milliseconds: Int64 = 25_000) async -> [String: UploadReport] {
        await upload(until: moment(in: milliseconds))
    }

    nonisolated func moment(in milliseconds: Int64) -> DispatchMoment {
        configuration.clock.now().advanced(byMilliseconds: milliseconds)
    }

    private func upload(until stopAt: DispatchMoment) async -> [String: UploadReport] {
        guard let parts = try? await open(), board.read(\.lifecycle.user) != nil else { return [:] }
        let server = server
        return await configuration.backgroundTime.hold("upload") {
            let reports = await parts.sync.upload(to: server, until: stopAt)
            return reports
        }
    }

    /// The same until a moment on the clock of the configuration. If a refresh runs already, this waits for that one, and starts
    /// another for what it could not do.
    @discardableResult
    public func refresh(until stopAt: DispatchMoment) async -> CRMRefreshReport {
        let joins = refreshing != nil
        let report = await oneRefresh(until: stopAt)
        // One that started after this call has seen everything that this call was made for.
        guard joins, !Task.isCancelled, isWorthRepeating(report), stopAt > clock.now() else { return report }
        return await oneRefresh(until: stopAt)
    }

    /// Whether a refresh that started earlier has left out what is possible now.
    private func isWorthRepeating(_ report: CRMRefreshReport) -> Bool {
        let (now, isDue) = board.read { ($0.surroundings, $0.lifecycle.isSyncDue) }
        guard now.network != .offline, report.problem == nil else { return false }
        if report.isOffline || report.syncs.values.contains(where: { $0.state == .stopped }) { return true }
        let isAllowed = configuration.objects.contains {
            report.putOff.contains($0.name)
                && $0.isFetched(network: now.network, isInForeground: now.isInForeground)
        }
        // A refresh that has put something off, or has failed, is due again in any case.
        return isAllowed || isDue && report.isFinished && report.putOff.isEmpty
    }

    private func oneRefresh(until stopAt: DispatchMoment) async -> CRMRefreshReport {
        let run = (refreshing ?? RunningRefresh(Task { await self.refreshNow(until: stopAt) })).withOneMoreCaller
        refreshing = run
        let report = await withTaskCancellationHandler {
            await run.task.value
        } onCancel: {
            Task { await self.leave(run) }
        }
        if refreshing == run { refreshing = nil }
        return report
    }

    /// A cancelled caller takes the refresh with it if nobody else waits for it.
    private func leave(_ run: RunningRefresh) {
        guard refreshing == run else { return }
        refreshing?.callers -= 1
        if refreshing?.callers == 0 { stopRefresh() }
    }

    func stopRefresh() {
        refreshing?.task.cancel()
        refreshing = nil
    }

    private func refreshNow(until stopAt: DispatchMoment) async -> CRMRefreshReport {
        var report = CRMRefreshReport()
        let parts: Parts
        do {
            parts = try await open()
        } catch {
            report.problem = error
            return report
        }
        let (user, network, isInForeground) = board.read { ($0.lifecycle.user, $0.network, $0.isInForeground) }
        guard user != nil else {
            report.problem = board.read(\.lifecycle.isChanging) ? .changingUser : .loggedOut
            return report
        }
        guard network != .offline else {
            board.update { $0.lifecycle.syncIsDue() }
            report.isOffline = true
            return report
        }
        let objects = configuration.objects.filter { $0.isFetched(network: network, isInForeground: isInForeground) }
        report.putOff = configuration.objects.map(\.name).filter { name in !objects.contains { $0.name == name } }
        return await sync(objects.map(\.name), parts, report, until: stopAt)
    }

    private func sync(
        _ objects: [String], _ parts: Parts, _ begun: CRMRefreshReport, until stopAt: DispatchMoment
    ) async -> CRMRefreshReport {
        let number = board.update { state in
            state.lifecycle.syncBegins()
            return state.beginProgress(objects: objects.count)
        }
        let (server, board, policy, now) = (server, board, configuration.regularSync, configuration.now)
        let report = await configuration.backgroundTime.hold("sync") {
            var report = begun
            report.uploads = await parts.sync.upload(to: server, until: stopAt)
            board.update { $0.stepEnded(of: number) }
            for object in objects {
                report.syncs[object] = await parts.sync.regularSync(
                    of: object, from: server, policy: policy, now: ServerDate(now()), until: stopAt)
                board.update { $0.stepEnded(of: number) }
            }
            return report
        }
        let lastSync = try? await lastSync(in: parts.store)
        board.update { state in
            state.endProgress(of: number)
            if let lastSync { state.lastSync = lastSync }
            if !report.isFinished || !report.putOff.isEmpty { state.lifecycle.syncIsDue() }
        }
        return report
    }

    /// When the sync that brought every object up to date began; nil if one was never synced.
    func lastSync(in store: any ObservableStore) async throws -> ServerDate? {
        var earliest: ServerDate?
        for object in configuration.objects {
            guard let date = try await store.progress(of: object.name).lastSync else { return nil }
            earliest = min(earliest ?? date, date)
        }
        return earliest
    }

    /// Waits for a refresh that runs already.
    func refreshIfDue() async {
        guard refreshing != nil || board.read(\.lifecycle.isSyncDue) else { return }
        await refresh(within: 25_000)
    }
}

/// A refresh that several calls may wait for.
struct RunningRefresh: Equatable, Sendable {
    let task: Task<CRMRefreshReport, Never>
    var callers = 0

    init(_ task: Task<CRMRefreshReport, Never>) { self.task = task }

    var withOneMoreCaller: RunningRefresh {
        var run = self
        run.callers += 1
        return run
    }

    static func == (left: RunningRefresh, right: RunningRefresh) -> Bool { left.task == right.task }
}
