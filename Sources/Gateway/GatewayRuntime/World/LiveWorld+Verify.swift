package import GatewayCore
package import NIOCore

/// Waiting for what is expected of the journal.
extension LiveWorld {
    /// What an expectation came to.
    package struct Verification: Sendable {
        package let isSatisfied: Bool
        package let matched: Int
        package let count: ExpectedCount
        /// The `apns-unique-id` of the newest that match.
        package let newest: [String]
        /// What comes near, where there are too few matches.
        package let nearMisses: [NearMiss]
    }

    /// Somebody who waits.
    package struct Waiter {
        package var expectation: JournalExpectation
        package let settled: @Sendable (JournalExpectation) -> Void
    }

    /// Compares the journal with an expectation, and waits until nothing can change the answer any more.
    ///
    /// What wakes it is each request that is judged and each event in a notification's life, never a clock but for the end
    /// of the time.
    ///
    /// - Parameters:
    ///   - within: How long to wait at most, in milliseconds of the machine's time; nil or 0 does not wait.
    ///   - eventLoop: Whose timer ends the time.
    /// - Throws: `tooMany` where as many wait as there may be.
    package func verify(
        _ expectation: JournalExpectation, within: Int64?, on eventLoop: any EventLoop
    ) async throws(SubscriptionError) -> Verification {
        let (answers, answer) = AsyncStream.makeStream(
            of: JournalExpectation.self, bufferingPolicy: .bufferingOldest(1))
        let id = try wait(for: expectation, isPatient: (within ?? 0) > 0) { settled in
            answer.yield(settled)
            answer.finish()
        }
        var timer: Scheduled<Void>?
        if let id, let within {
            timer = eventLoop.scheduleTask(in: .milliseconds(within)) { self.stopWaiting(id) }
        }
        let settled: JournalExpectation = await {
            for await settled in answers { return settled }
            return expectation  // the client is gone
        }()
        timer?.cancel()
        if let id { stopWaiting(id) }
        let isShort = !settled.isMet && !settled.count.isBroken(by: settled.matchedCount)
        let result = read { world, _ in world.result(of: settled.match, since: settled.since) }
        return Verification(
            isSatisfied: settled.isMet, matched: settled.matchedCount, count: settled.count, newest: result.newest,
            nearMisses: isShort ? result.nearMisses : [])
    }
}
