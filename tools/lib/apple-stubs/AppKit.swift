// As AppKit declares them, as far as the adapters need it.
public import Foundation

@MainActor
open class NSApplication: NSObject {}

@MainActor
public protocol NSApplicationDelegate: NSObjectProtocol {
    func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any])
}
