/// How the client starts tasks of the main actor. A simulation runs them on an executor of its own, together with all others.
package struct MainTaskStarter: Sendable {
    package typealias Operation = @MainActor @Sendable () async -> Void

    private let begin: @Sendable (@escaping Operation) -> Task<Void, Never>

    package init(_ begin: @escaping @Sendable (@escaping Operation) -> Task<Void, Never>) { self.begin = begin }

    /// Tasks begin in the order of their starts.
    package static let standard = MainTaskStarter { Task(operation: $0) }

    @discardableResult
    package func callAsFunction(_ operation: @escaping Operation) -> Task<Void, Never> { begin(operation) }
}
