/// Checks a condition until it holds.
///
/// - Parameter limit: By the machine's clock.
/// - Returns: Whether it holds.
package func eventually(
    within limit: Duration = .seconds(300), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while clock.now < end {
        if try await condition() { return true }
        // All tests share the threads of Swift's concurrency, as many as there are cores, so others can run meanwhile. A test that
        // is cancelled, such as at its time limit, waits no longer.
        do { try await Task.sleep(for: .milliseconds(2)) } catch { break }
    }
    return try await condition()
}
