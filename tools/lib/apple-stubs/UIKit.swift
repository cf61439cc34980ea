// Declarations of UIKit, as far as the adapters need them. Optional methods of a protocol are default implementations here.
//
// Seen in:
// [a] xybp888/iOS-SDKs, iPhoneOS18.2.1.sdk/System/Library/Frameworks/UIKit.framework/Headers/UIApplication.h
// [b] Averyy/apple-dev-docs, documentation/UIKit/uiapplication/beginbackgroundtask-withnameexpirationhandler.md
// [c] swiftlang/swift-evolution, proposals/0463-sendable-completion-handlers.md
public import Foundation

// [a] NSUInteger; available since iOS 7.
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData = 0
    case noData = 1
    case failed = 2
}

// [a] NS_TYPED_ENUM of NSUInteger, so a struct. The value of `invalid` is a constant of the framework.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

// [a] UIApplication is its subclass and isolated to the main actor. `init` is inherited from NSObject.
@MainActor
open class UIResponder: NSObject {
    override public nonisolated init() {}
}

// [a] NS_SWIFT_UI_ACTOR.
open class UIApplication: UIResponder {
    // [a] NS_TYPED_ENUM of NSString.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    // [a] NSInteger.
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    // [a] Not optional; not available in app extensions.
    open class var shared: UIApplication { UIApplication() }

    // [a] Not marked otherwise, so isolated to the main actor.
    open var applicationState: State { .background }

    // [a] NS_SWIFT_NONISOLATED.
    nonisolated open var isProtectedDataAvailable: Bool { true }

    // [a] Isolated to the main actor. Silent pushes need no permission of the user.
    open func registerForRemoteNotifications() {}

    // [a] NS_SWIFT_NONISOLATED, and the block NS_SWIFT_UI_ACTOR; name and block nullable. [b] Called on the main thread.
    nonisolated open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { .invalid }

    // [a] NS_SWIFT_NONISOLATED.
    nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

    // [a] All of these constants are NS_SWIFT_NONISOLATED.
    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    public nonisolated static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable")
}

// [a] NS_SWIFT_UI_ACTOR, every method optional.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    // [a] The dictionary is nullable.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    // [a] NSData, not nullable.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)

    // [a] NSError, not nullable.
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    // [a] The dictionary has no key type, so AnyHashable. [c] The handler is not @Sendable, because the method is isolated to
    // an actor; there is an async form as well.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

    // [a]
    func applicationDidBecomeActive(_ application: UIApplication)
    func applicationDidEnterBackground(_ application: UIApplication)
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}

    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}

    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {}

    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {}
}

// [e] developer.apple.com/documentation/uikit: uiview/bounds, uiview/window, uiview/convert(_:to:) for a rectangle, uiviewcontroller.
open class UIView: UIResponder {
    open var bounds: CGRect = .zero
    open var window: UIWindow? { nil }

    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect { rect }
}

open class UIWindow: UIView {}
open class UIViewController: UIResponder {}

// [d] developer.apple.com/documentation/uikit/uicollectionviewdelegate, as several public repositories keep it: isolated to the main
// actor, optional methods. The other classes are only names here.
open class UIScrollView: UIView {}
open class UICollectionView: UIScrollView {
    // Nullable and weak; not compared.
    open weak var delegate: (any UICollectionViewDelegate)?
}
open class UICollectionReusableView: UIView {}
open class UICollectionViewCell: UICollectionReusableView {}

@MainActor
public protocol UIScrollViewDelegate: NSObjectProtocol {}

@MainActor
public protocol UICollectionViewDelegate: UIScrollViewDelegate {
    func collectionView(
        _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
}

extension UICollectionViewDelegate {
    public func collectionView(
        _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) {}

    public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {}
}

// [d] UIKit's additions to IndexPath.
extension IndexPath {
    public var section: Int { self[0] }
    public var item: Int { self[1] }
}
