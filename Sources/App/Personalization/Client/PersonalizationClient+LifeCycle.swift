public import EventDelivery

extension PersonalizationClient {
    /// At the start of the app: opens the files, notes a change of the app's version, and sends what an earlier process has
    /// left. Every other call opens the files as well.
    ///
    /// - Throws: `storage`, for example before the device is unlocked for the first time, and `notKept` if the queue has no
    ///   space for what the library reports itself. Each later call tries again.
    public func start() async throws(PersonalizationError) {
        try await perform { moment async throws(PersonalizationError) in
            var failure: PersonalizationError?
            do throws(PersonalizationError) {
                try self.change(at: moment) { $0.started(at: moment) }
                try await self.settle()
                try await self.reportIdentity(at: moment)
            } catch {
                failure = error
            }
            // Also after a failure, what an earlier process has left is sent.
            do throws(EventStoreError) {
                try await self.queue.resume()
            } catch {
                failure =
                    failure
                    ?? PersonalizationError(
                        .storage, "the queue of events cannot be opened; try again later", store: error)
            }
            if let failure { throw failure }
        }
    }

    /// The app came to the foreground.
    ///
    /// - Throws: As ``start()``; the change still applies.
    public func didBecomeActive() async throws(PersonalizationError) {
        try await perform { moment async throws(PersonalizationError) in
            try self.change(at: moment) { $0.becameActive(at: moment) }
            try await self.settle()
        }
    }

    /// The app leaves the foreground: keeps the session for the next process, and sends what is kept.
    ///
    /// - Parameter milliseconds: The limit for sending. Call it inside a background task of the system.
    /// - Returns: How the flush ended. Nothing that is not sent is lost.
    @discardableResult
    public func didEnterBackground(within milliseconds: Int64) async -> FlushReport {
        try? await perform { moment async throws(PersonalizationError) in
            try self.change(at: moment) { $0.enteredBackground(at: moment) }
            try await self.settle()
        }
        return await queue.willEnterBackground(within: milliseconds)
    }

    /// The network monitor says whether there is a connection. Coming back online sends what is kept.
    public func networkChanged(isOnline: Bool) async {
        await queue.networkChanged(isOnline: isOnline)
        await decisions?.networkChanged(isOnline: isOnline)
    }

    /// Sends what is kept, and waits for it.
    @discardableResult
    public func flush(within milliseconds: Int64) async -> FlushReport {
        try? await perform { moment async throws(PersonalizationError) in
            try self.open(at: moment)
            try await self.settle()
        }
        return await queue.flush(configuration.destination, within: milliseconds)
    }

    /// Waits until the service knows who the person is, or the time is over. Does nothing for who it knows already.
    ///
    /// - Throws: `notInitialized` if the state cannot be read.
    func awaitIdentity(within milliseconds: Int64) async throws(DecisionError) -> DecisionQuery.Standing {
        do throws(PersonalizationError) {
            return try await standing(within: milliseconds)
        } catch {
            throw DecisionError(.notInitialized, "the client does not know who uses the app: \(error.detail)")
        }
    }

    private func standing(within milliseconds: Int64) async throws(PersonalizationError) -> DecisionQuery.Standing {
        var obstacle: PersonalizationError?
        let awaited = try await perform { moment async throws(PersonalizationError) -> Int? in
            guard try self.change(at: moment, { $0.awaitedIdentity }) != nil, await self.mayReportIdentity else {
                return nil
            }
            try self.change(at: moment) { $0.mayReportIdentity(at: moment) }
            if try !self.change(at: moment, { $0.firstOfOutbox }).isEmpty {
                do throws(PersonalizationError) {
                    try await self.settle()
                } catch {
                    // It cannot arrive, so there is nothing to wait for.
                    obstacle = error
                    return nil
                }
            }
            return try self.change(at: moment) { $0.awaitedIdentity }
        }
        if let number = awaited {
            let report = await queue.waitUntilSent(
                configuration.destination, atMost: min(milliseconds, configuration.identityWaitMilliseconds))
            try await perform { moment async throws(PersonalizationError) in
                // A flush also ends if nothing may be sent.
                guard report.end == .complete, await self.mayReportIdentity else { return }
                try self.change(at: moment) { $0.reportedIdentity(number) }
            }
        }
        return try await perform { moment async throws(PersonalizationError) in
            let mayReport = await self.mayReportIdentity
            return try self.change(at: moment) { $0.standing(mayReport: mayReport, obstacle) }
        }
    }

    private var mayReportIdentity: Bool {
        get async { await queue.consent(for: configuration.purposes.identity) == .optedIn }
    }
}
