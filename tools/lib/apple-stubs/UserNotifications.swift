// Declarations of UserNotifications, as far as the adapters need them. Optional methods of a protocol are default implementations
// here.
//
// Seen in:
// [a] phracker/MacOSX-SDKs, MacOSX12.3.sdk/System/Library/Frameworks/UserNotifications.framework/Versions/A/Headers/
//     UNUserNotificationCenter.h
// [b] mkalmes/moby, UserNotifications.framework.h (the other headers of the framework)
// [c] DougGregor/swift-concurrency-objc, iOS/UserNotifications (the headers as Swift shows them, with async forms)
// [d] Averyy/apple-dev-docs, documentation/UserNotifications (declarations and conformances of the current SDK)
// [e] swiftlang/swift-evolution, proposals/0463-sendable-completion-handlers.md
//
// [d] None of the classes is Sendable, and nothing here is isolated to an actor. The headers do not say on which thread the
// center calls its delegate; apps have seen a queue of the framework. So the adapters assume none.
public import Foundation

// [b] All three properties are read-only and not nullable; `userInfo` is an NSDictionary without types.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    open var title: String { "" }
    open var body: String { "" }
    open var userInfo: [AnyHashable: Any] { [:] }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent() }
}

// [b] Declares them again, readable and writable. The setters raise an exception for a userInfo that is not a property list.
open class UNMutableNotificationContent: UNNotificationContent {
    private var texts = ("", "")
    private var members: [AnyHashable: Any] = [:]
    open override var title: String {
        get { texts.0 }
        set { texts.0 = newValue }
    }
    open override var body: String {
        get { texts.1 }
        set { texts.1 = newValue }
    }
    open override var userInfo: [AnyHashable: Any] {
        get { members }
        set { members = newValue }
    }
}

// [b] Not available on tvOS. [d] The handler is called contentHandler, so there is no async form, and [e] it is not @Sendable.
open class UNNotificationServiceExtension: NSObject {
    open func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}

    open func serviceExtensionTimeWillExpire() {}
}

// [b] `init` is not available. The content is not nullable.
open class UNNotificationRequest: NSObject {
    @available(*, unavailable)
    public override init() {}
    init(_ standIn: Void) {}

    open var identifier: String { "" }
    open var content: UNNotificationContent { UNNotificationContent() }
}

// [b] `init` is not available. The request is not nullable.
open class UNNotification: NSObject {
    @available(*, unavailable)
    public override init() {}
    init(_ standIn: Void) {}

    open var date: Date { Date() }
    open var request: UNNotificationRequest { UNNotificationRequest(()) }
}

// [b] [c] `init` is not available. Neither property is nullable. Not available on tvOS.
open class UNNotificationResponse: NSObject {
    @available(*, unavailable)
    public override init() {}

    open var notification: UNNotification { UNNotification(()) }
    open var actionIdentifier: String { "" }
}

// [a] NSUInteger; `list` and `banner` since iOS 14 and macOS 11.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
    public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
    public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
    public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}

// [a] NSUInteger.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
    public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
    public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
}

// [b] NSUInteger; not available on tvOS.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
    public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
    public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
}

// [b] A factory method, so a convenience initializer; `init` is not available.
open class UNNotificationAction: NSObject {
    @available(*, unavailable)
    public override init() {}
    init(_ standIn: Void) {}

    public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.init(())
    }
}

// [b] NSUInteger.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

// [b] A factory method, so a convenience initializer; `init` is not available. Not available on tvOS.
open class UNNotificationCategory: NSObject {
    @available(*, unavailable)
    public override init() {}
    init(_ standIn: Void) {}

    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) { self.init(()) }
}

// [a] `init` is not available. [d] Not Sendable; usable from every thread.
open class UNUserNotificationCenter: NSObject {
    @available(*, unavailable)
    public override init() {}
    init(_ standIn: Void) {}

    // [c] A method, not a property.
    open class func current() -> UNUserNotificationCenter { UNUserNotificationCenter(()) }

    // [a] Nullable and weak.
    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    // [a] Not available on tvOS.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {}

    // [c] Both forms; the error is nullable. [e] @Sendable, because there is an async form and no actor.
    @preconcurrency
    open func requestAuthorization(
        options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {}
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { true }
}

// [d] Not isolated to an actor. [a] Every method is optional.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    // [c] There is an async form as well. [e] So the handler is @Sendable, from Swift 6.2 on.
    @preconcurrency
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

    // [a] Not available on tvOS. [c] There is an async form as well. [e] So the handler is @Sendable, from Swift 6.2 on.
    @preconcurrency
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
}

extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {}

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {}
}
