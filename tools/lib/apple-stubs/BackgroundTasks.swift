// Declarations of BackgroundTasks, as far as the adapters need them.
//
// Seen in:
// [a] DougGregor/swift-concurrency-objc, iOS/BackgroundTasks (the headers as Swift shows them)
// [b] Averyy/apple-dev-docs, documentation/BackgroundTasks (declarations and conformances of the current SDK)
//
// [b] None of the classes is Sendable, and nothing here is isolated to an actor. Not available on macOS and watchOS.
public import Dispatch
public import Foundation

// [a] [b] The handler may be nil and is not @Sendable. The system marks a task without one as failed when its time ends.
open class BGTask: NSObject {
    @available(*, unavailable)
    public override init() {}
    init(_ standIn: Void) {}

    open var identifier: String { "" }
    open var expirationHandler: (() -> Void)?
    open func setTaskCompleted(success: Bool) {}
}

// [a] Without members of their own.
open class BGAppRefreshTask: BGTask {}
open class BGProcessingTask: BGTask {}

// [a] `init` of the base class is not available. The date may be nil.
open class BGTaskRequest: NSObject {
    @available(*, unavailable)
    public override init() {}
    init(_ standIn: Void) {}

    open var identifier: String { "" }
    open var earliestBeginDate: Date?
}

// [a]
open class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) { super.init(()) }
}

// [a]
open class BGProcessingTaskRequest: BGTaskRequest {
    public init(identifier: String) { super.init(()) }

    open var requiresNetworkConnectivity = false
    open var requiresExternalPower = false
}

// [b] `init` is not available.
open class BGTaskScheduler: NSObject {
    @available(*, unavailable)
    public override init() {}
    init(_ standIn: Void) {}

    open class var shared: BGTaskScheduler { BGTaskScheduler(()) }

    // [b] The queue may be nil, and then it is a background queue. The handler is not @Sendable: one that is made in code of the
    // main actor belongs to it, so the queue has to be the main queue, or the process stops when it is called. False if
    // Info.plist does not list the identifier; a second call with an identifier ends the process. Results of imported methods
    // may be left unused.
    @discardableResult
    open func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?, launchHandler: @escaping (BGTask) -> Void
    ) -> Bool { true }

    // [b]
    open func submit(_ taskRequest: BGTaskRequest) throws {}
    open func cancel(taskRequestWithIdentifier identifier: String) {}
}
