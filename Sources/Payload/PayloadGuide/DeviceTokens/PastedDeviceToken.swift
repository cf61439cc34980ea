package import APNSModel
import PayloadJSON

/// What a text is that somebody takes for a device token.
package struct PastedDeviceToken: Hashable, Sendable {
    /// The names of `apns token device --json`.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case deviceToken = "device-token"
        case base64
        case dataDescription = "data-description"
        case byteList = "byte-list"
        /// Digits with something around or between them.
        case decorated
        /// More than one device token.
        case several
        case shortened
        case firebase, expo, uuid, damaged, empty, other
        case webPush = "web-push"
        case providerToken = "provider-token"
        case url
    }

    package let kind: Kind
    /// What follows "this" in a sentence. It never quotes the text.
    package let description: String
    /// What to do; nil where nothing is wrong.
    package let advice: String?
    /// The device token that the text is or shows; nil where there is none.
    package let deviceToken: DeviceToken?

    /// - Parameter text: White space around it is ignored.
    package init(_ text: some StringProtocol) {
        let start = text.drop(while: \.isWhitespace)
        let word = start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
        guard let problem = DeviceTokenProblem(word) else {
            self.init(digits: word)
            return
        }
        if let other = PastedDeviceToken(otherThanDigits: word) {
            self = other
            return
        }
        let token = DeviceTokenProblem.deviceToken(meantBy: word)
        self.init(
            PastedDeviceToken.kind(problem, hasToken: token != nil), problem.description,
            PastedDeviceToken.advice(problem, token), token)
    }

    private init(_ kind: Kind, _ description: String, _ advice: String?, _ deviceToken: DeviceToken? = nil) {
        (self.kind, self.description, self.advice, self.deviceToken) = (kind, description, advice, deviceToken)
    }

    /// - Parameter digits: A valid device token.
    private init(digits: String) {
        let token = DeviceToken(digits)
        self.init(
            .deviceToken, "is a device token: \(digits.utf8.count) hexadecimal digits",
            token.flatMap { PastedDeviceToken.doubt(of: $0) }, token)
    }

    /// How many bytes the device token has.
    package var byteCount: Int? { deviceToken.map { $0.hex.utf8.count / 2 } }

    /// Lengths that no known device token has (docs/reference/apns.md 8).
    private static func doubt(of token: DeviceToken) -> String? {
        switch token.hex.utf8.count / 2 {
        case ..<32: "known ones have at least 32 bytes, so check whether it was cut off"
        case 32...100: nil
        default: "known ones have at most 100 bytes, so check whether two were joined"
        }
    }

    private static func kind(_ problem: DeviceTokenProblem, hasToken: Bool) -> Kind {
        switch problem {
        case .empty: .empty
        case .dataDescription: .dataDescription
        case .dataSummary, .shortened: .shortened
        case .firebase: .firebase
        case .expo: .expo
        case .uuid: .uuid
        case .quoted, .whiteSpace, .separated, .prefix, .optional, .labelled: hasToken ? .decorated : .other
        case .base64: .base64
        case .byteList: .byteList
        case .oddDigits: .damaged
        case .several: .several
        case .character: .other
        }
    }

    private static func advice(_ problem: DeviceTokenProblem, _ token: DeviceToken?) -> String {
        switch problem {
        case .uuid:
            "\(problem.advice); OneSignal names its subscriptions so, and apns-id is one, too"
        case .dataDescription where token == nil:
            "digits are missing in it, so print the whole token in the app"
        default: [problem.advice, token.flatMap { doubt(of: $0) }].compactMap(\.self).joined(separator: "; ")
        }
    }
}

// MARK: - What has another form than digits

extension PastedDeviceToken {
    /// Nil unless it is an object, an address or a JWT.
    private init?(otherThanDigits word: String) {
        if word.hasPrefix("{"), let document = try? JSONDocument(Array(word.utf8)) {
            guard PastedDeviceToken.isSubscription(document) else { return nil }
            self.init(.webPush, "is a web push subscription", PastedDeviceToken.adviceOfWebPush)
        } else if word.hasPrefix("https://") || word.hasPrefix("http://") {
            let rest = word.drop { $0 != "/" }.dropFirst(2)
            let host = rest.prefix { $0 != "/" && $0 != ":" }.lowercased()
            guard PastedDeviceToken.webPushHosts.contains(where: { host == $0 || host.hasSuffix(".\($0)") }) else {
                self.init(.url, "is an address", "a device token is not an address; take the token that the app got")
                return
            }
            self.init(.webPush, "is the endpoint of a web push subscription", PastedDeviceToken.adviceOfWebPush)
        } else if word.hasPrefix("eyJ"), word.split(separator: ".", omittingEmptySubsequences: false).count == 3 {
            self.init(
                .providerToken, "looks like a JWT, such as a provider token",
                "it belongs to the server and is secret; apns token show - prints what it contains")
        } else {
            return nil
        }
    }

    private static let adviceOfWebPush =
        "a browser gets messages through its endpoint, with VAPID and encryption, and not from APNs; a device token comes from an app"

    private static let webPushHosts = [
        "web.push.apple.com", "fcm.googleapis.com", "updates.push.services.mozilla.com", "notify.windows.com",
    ]

    /// Whether it is what `PushSubscription.toJSON()` gives in a browser.
    private static func isSubscription(_ document: JSONDocument) -> Bool {
        guard document.member("endpoint", of: .root) != nil else { return false }
        guard let keys = document.member("keys", of: .root) else { return true }
        return document.member("p256dh", of: keys) != nil
    }
}

// MARK: - Output

extension PastedDeviceToken {
    /// A sentence for people, with the size of the device token.
    package var sentence: String {
        let size = byteCount.map { ", \($0) bytes" } ?? ""
        return "This \(description)\(kind == .deviceToken ? size : "")" + (advice.map { "; \($0)." } ?? ".")
    }

    /// One JSON object, without a line end.
    package var json: String {
        let object = JSONText.object { object in
            object.add("kind", kind.rawValue)
            object.addOrNull("device-token", deviceToken?.hex)
            object.addOrNull("bytes", byteCount)
            object.add("description", description)
            object.addOrNull("advice", advice)
        }
        return String(decoding: object.bytes, as: UTF8.self)
    }
}
