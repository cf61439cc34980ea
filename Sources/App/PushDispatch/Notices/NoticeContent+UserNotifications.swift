#if canImport(UserNotifications) && (os(iOS) || os(macOS) || os(visionOS) || os(watchOS))
    public import UserNotifications

    extension UNMutableNotificationContent {
        /// Puts what an encrypted notice holds in place of what stood in for it: title, body and `userInfo`. Content that
        /// is not encrypted stays as it is.
        ///
        /// For `didReceive(_:withContentHandler:)` of a notification service extension. Where it throws, the content is as
        /// it was, and is handed on like that.
        ///
        /// - Parameter cipher: Nil where the device has no private key.
        public func decryptNotice(with cipher: (any NoticeCipher)?) throws(NoticeError) {
            let push = Push(userInfo: userInfo)
            guard push.isEncryptedNotice else { return }
            let opened = try push.decryptedNotice(with: cipher)
            if let alert = opened["aps"]?.object?["alert"]?.object {
                if let title = alert["title"]?.string { self.title = title }
                if let body = alert["body"]?.string { self.body = body }
            }
            // A content takes the types of property lists, which have no null.
            userInfo = Dictionary(
                uniqueKeysWithValues: opened.payload.compactMap { key, value in
                    value.propertyListValue.map { (AnyHashable(key), $0) }
                })
        }
    }

    extension JSONValue {
        fileprivate var propertyListValue: Any? {
            switch self {
            case .null: nil
            case .bool(let value): value
            case .integer(let value): value
            case .number(let value): value
            case .string(let text): text
            case .array(let elements): elements.compactMap(\.propertyListValue)
            case .object(let members): members.compactMapValues(\.propertyListValue)
            }
        }
    }
#endif
