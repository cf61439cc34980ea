#if canImport(UserNotifications) && (os(iOS) || os(macOS) || os(visionOS) || os(watchOS))
    public import UserNotifications

    extension UNMutableNotificationContent {
        /// Decrypts an encrypted notice: replaces title, body and `userInfo`. Content that is not encrypted is
        /// unchanged.
        ///
        /// For `didReceive(_:withContentHandler:)` of a notification service extension. If it throws, the content is
        /// unchanged and can be shown with its placeholder text.
        ///
        /// - Parameter cipher: Nil if the device has no private key.
        public func decryptNotice(with cipher: (any NoticeCipher)?) throws(NoticeError) {
            let push = Push(userInfo: userInfo)
            guard push.isEncryptedNotice else { return }
            let opened = try push.decryptedNotice(with: cipher)
            if let alert = opened["aps"]?.object?["alert"]?.object {
                if let title = alert["title"]?.string { self.title = title }
                if let body = alert["body"]?.string { self.body = body }
            }
            // `userInfo` accepts only the types of property lists, which have no null.
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
