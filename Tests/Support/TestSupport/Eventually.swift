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
        await Task.yield()
    }
    return try await condition()
}
