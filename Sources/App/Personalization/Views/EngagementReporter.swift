/// Takes what views see, without waiting, and reports it in the same order.
///
/// ```swift
/// let reporter = EngagementReporter(client, onError: { error in log(error) })
/// ```
///
/// A view may report an appearance as often as it likes: the client counts it once in a session. Content without ids, the app's
/// own, is not reported.
public final class EngagementReporter: Sendable {
    private enum Step: Sendable {
        case appeared(EngagementContent)
        case tapped(EngagementContent)
        case dismissed(EngagementContent)
    }

    /// The most calls that wait for the client; more are dropped and passed to `onError`.
    public static let maximumWaiting = 1_000

    private let steps: AsyncStream<Step>.Continuation
    private let onError: @Sendable (PersonalizationError) -> Void

    public init(_ client: PersonalizationClient, onError: @escaping @Sendable (PersonalizationError) -> Void = { _ in })
    {
        self.onError = onError
        var continuation: AsyncStream<Step>.Continuation?
        let stream = AsyncStream(Step.self, bufferingPolicy: .bufferingOldest(EngagementReporter.maximumWaiting)) {
            continuation = $0
        }
        guard let continuation else { preconditionFailure("a stream calls its closure before it returns") }
        steps = continuation
        Task {
            for await step in stream {
                do throws(PersonalizationError) {
                    switch step {
                    case .appeared(let content): try await client.appeared(content)
                    case .tapped(let content): try await client.tapped(content)
                    case .dismissed(let content): try await client.dismissed(content)
                    }
                } catch {
                    onError(error)
                }
            }
        }
    }

    // The task reports what is waiting, and ends.
    deinit { steps.finish() }

    /// The content is on the screen.
    public func appeared(_ content: EngagementContent?) { post(content.map { .appeared($0) }) }

    public func tapped(_ content: EngagementContent?) { post(content.map { .tapped($0) }) }

    public func dismissed(_ content: EngagementContent?) { post(content.map { .dismissed($0) }) }

    private func post(_ step: Step?) {
        guard let step else { return }
        if case .dropped = steps.yield(step) {
            onError(PersonalizationError(.notKept, "too many views report at once; the last one was not reported"))
        }
    }
}
