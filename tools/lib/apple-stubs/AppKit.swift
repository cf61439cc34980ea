// Declarations of AppKit, as far as the adapters need them.
public import Foundation

@MainActor
open class NSApplication: NSObject {}

@MainActor
public protocol NSApplicationDelegate: NSObjectProtocol {
    func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any])
}
