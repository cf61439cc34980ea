/// How the app libraries start their tasks. A simulation runs all tasks on one thread, in an order that it chooses.
package struct TaskStarter: Sendable {
    package typealias Operation = @Sendable () async -> Void

    private let begin: @Sendable (@escaping Operation) -> Task<Void, Never>

    package init(_ begin: @escaping @Sendable (@escaping Operation) -> Task<Void, Never>) { self.begin = begin }

    package static let standard = TaskStarter { Task(operation: $0) }

    @discardableResult
    package func callAsFunction(_ operation: @escaping Operation) -> Task<Void, Never> { begin(operation) }
}
