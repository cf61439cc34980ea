import PushDispatch

/// What happens to the device and the app.
extension CRMSync {
    /// The system has delivered the device token. Report it after each launch; it may have changed.
    public func received(deviceToken: some Sequence<UInt8> & Sendable) async {
        await registration?.received(deviceToken: deviceToken)
    }

    /// The app came to the foreground, or was launched into it: opens the store if that failed before, registers the device
    /// again and refreshes.
    @discardableResult
    public func cameToForeground() async -> CRMRefreshReport {
        board.update { $0.isInForeground = true }
        await parts?.sync.foregroundChanged(to: true)
        if let registration { Task { await registration.cameToForeground() } }
        return await refresh(within: 25_000)
    }

    /// The app has gone to the background: uploads what the user has edited, in the time that the system gives.
    public func wentToBackground() async {
        board.update { $0.isInForeground = false }
        await parts?.sync.foregroundChanged(to: false)
        await upload()
    }

    /// Files can be read again: the device was unlocked. Opens the store if that failed before, and fetches what pushes have
    /// named meanwhile.
    ///
    /// Returns at once if the store still cannot be read; the next occasion tries again. It waits for the refresh that is due by
    /// now. A push that is only now answered with `failed` starts one of its own, which this does not wait for.
    public func deviceUnlocked() async {
        guard (try? await open()) != nil else { return }
        await refreshIfDue()
    }

    /// What the device is connected to. With a ``NetworkWatcher`` in the configuration nobody has to call this.
    ///
    /// Coming back online uploads edits, fetches what waits, and refreshes if a refresh was not possible before.
    public func networkChanged(to network: SyncNetwork) async {
        guard let former = await setNetwork(network) else { return }
        await useNetwork(isBackOnline: former == .offline)
    }

    /// A report of the watcher. It does not wait for requests, so that the next report counts at once.
    func follow(_ network: SyncNetwork) async {
        guard let former = await setNetwork(network) else { return }
        let isBackOnline = former == .offline
        switch networkWork {
        case .none:
            networkWork = .running
            Task { await self.workOnNetwork(isBackOnline: isBackOnline) }
        case .running: networkWork = .again(isBackOnline: isBackOnline)
        case .again(let wasOffline): networkWork = .again(isBackOnline: wasOffline || isBackOnline)
        }
    }

    private func workOnNetwork(isBackOnline: Bool) async {
        await useNetwork(isBackOnline: isBackOnline)
        while case .again(let isBackOnline) = networkWork {
            networkWork = .running
            await useNetwork(isBackOnline: isBackOnline)
        }
        networkWork = .none
    }

    /// - Returns: The former network; nil if this is the same.
    private func setNetwork(_ network: SyncNetwork) async -> SyncNetwork? {
        let former = board.update { state in
            defer { state.network = network }
            return state.network
        }
        guard former != network else { return nil }
        await parts?.sync.networkChanged(to: network)
        return former
    }

    private func useNetwork(isBackOnline: Bool) async {
        guard let parts, board.read(\.network) != .offline, board.read(\.lifecycle.user) != nil else { return }
        if board.read(\.lifecycle.isSyncDue) {
            await refresh(within: 25_000)
        } else {
            if isBackOnline { await upload() }
            _ = await parts.sync.drain(until: moment(in: 25_000))
        }
    }
}

/// What the network watcher of a `CRMSync` has started. One piece of work runs at a time.
enum NetworkWork {
    case none, running
    /// The network has changed since.
    case again(isBackOnline: Bool)
}
