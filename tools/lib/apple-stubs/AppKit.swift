// Declarations of AppKit, as far as the adapters need them. Optional methods of a protocol are default implementations here.
//
// Seen in:
// [a] phracker/MacOSX-SDKs, MacOSX12.1.sdk/System/Library/Frameworks/AppKit.framework/Versions/C/Headers/NSApplication.h
// [b] developer.apple.com/documentation/appkit/nsapplicationdelegate/application(_:didreceiveremotenotification:)
public import Foundation

// [a] A subclass of NSResponder, which is isolated to the main actor.
@MainActor
open class NSApplication: NSObject {
    // [a] In a category of the class; available since macOS 10.14.
    open func registerForRemoteNotifications() {}
}

// [a] Every method is optional. [b] Isolated to the main actor.
@MainActor
public protocol NSApplicationDelegate: NSObjectProtocol {
    // [a] [b] The dictionary has String keys here, and AnyHashable ones on iOS. No completion handler.
    func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any])
}

extension NSApplicationDelegate {
    public func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {}
}
