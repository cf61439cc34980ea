import Foundation

/// The protection class of the store's files: readable after the first unlock, because a push can arrive while the device is
/// locked. A folder passes its class on to files that are created in it later, such as the log and damaged files.
enum StoreProtection {
    /// - Returns: Whether the system has such classes and has set it. A file that cannot be changed keeps the class that the
    ///   app has for new files.
    @discardableResult
    static func apply(to path: String) -> Bool {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            let attributes: [FileAttributeKey: Any] = [
                .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication
            ]
            return (try? FileManager.default.setAttributes(attributes, ofItemAtPath: path)) != nil
        #else
            return false
        #endif
    }
}
