import GatewayCore
import GatewayServer

/// Expecting notifications.
extension TestGateway {
    /// Expects notifications, and waits for them. If they do not come, the running test of Swift Testing or XCTest gets an
    /// issue at the line of this call, which shows field by field what came instead; the test goes on.
    ///
    /// ```swift
    /// await gateway.expect(.accepted(topic: "com.example.mail", payload: ["aps": ["badge": 3]]), count: .once)
    /// ```
    ///
    /// - Parameter time: How long to wait, by the machine's clock. Nil is five seconds, or no time for a count that 0 meets,
    ///   such as `never`.
    /// - Returns: Whether it was met.
    @discardableResult
    public func expect(
        _ expected: ExpectedNotification, count: NotificationCount = .atLeast(1), within time: Duration? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async -> Bool {
        let result = await check(expected, count: count, within: time)
        if !result.isMet {
            TestIssue.record(result.description, fileID: fileID, filePath: filePath, line: line, column: column)
        }
        return result.isMet
    }

    /// Does the same as `expect`, but ends the test: throws an error that says what came instead.
    ///
    /// - Returns: The notifications that match, oldest first.
    /// - Throws: `ExpectationNotMet`.
    @discardableResult
    public func require(
        _ expected: ExpectedNotification, count: NotificationCount = .atLeast(1), within time: Duration? = nil
    ) async throws -> [JudgedNotification] {
        let result = await check(expected, count: count, within: time)
        guard result.isMet else { throw ExpectationNotMet(result: result) }
        let match = expected.match
        return world { world in
            world.sequences(of: match).sorted().compactMap { world.notification($0).map { JudgedNotification($0) } }
        }
    }

    /// Waits as `expect` does and returns the result, with any test framework or none.
    public func check(
        _ expected: ExpectedNotification, count: NotificationCount = .atLeast(1), within time: Duration? = nil
    ) async -> ExpectationResult {
        let (match, wanted) = (expected.match, count.count)
        let isWatched = wanted.isMetByNothing
        _ = await running.wait(upTo: time ?? (isWatched ? .zero : .seconds(5))) { [running] in
            let matched = running.read { $0.sequences(of: match).count }
            return wanted.isBroken(by: matched) || !isWatched && wanted.isMet(by: matched)
        }
        return world { ExpectationResult(expected, count, $0.result(of: match), total: $0.journalCount) }
    }
}
