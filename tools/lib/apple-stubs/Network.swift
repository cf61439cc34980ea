// Declarations of Network, as far as the adapters need them.
//
// Seen in:
// [a] xybp888/iOS-SDKs, iPhoneOS18.2.1.sdk/System/Library/Frameworks/Network.framework/Modules/Network.swiftmodule/
//     arm64e-apple-ios.swiftinterface
public import Dispatch

// [a]
public struct NWPath: Sendable {
    public enum Status: Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public let status: Status
    public let isExpensive: Bool
    // [a] Since iOS 13 and macOS 10.15.
    public var isConstrained: Bool { false }
}

// [a] Sendable and an AsyncSequence only since iOS 17 and macOS 14, so neither here. A monitor cannot be started again.
public final class NWPathMonitor {
    public init() {}

    public var currentPath: NWPath { NWPath(status: .satisfied, isExpensive: false) }

    // [a] May be nil; @Sendable.
    @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?

    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
