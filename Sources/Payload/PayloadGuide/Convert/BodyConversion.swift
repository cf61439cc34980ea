package import APNSModel
package import APNSPayload
import PayloadJSON

/// Envelopes made from the body of a request to another push service, and what became of its parts.
package struct BodyConversion: Hashable, Sendable {
    /// A part of the body that is not, or not as it was, in an envelope.
    package struct Note: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable { case lost, changed, added }

        package let kind: Kind
        /// The JSON pointer of the part; of the object that lacked it for what was added.
        package let pointer: String
        /// The first byte of the part.
        package let offset: Int
        /// A sentence without a full stop, for what becomes of it and what to do.
        package let text: String
    }

    package internal(set) var envelopes: [Envelope] = []
    package internal(set) var notes: [Note] = []
    /// Why elements of an array were not converted; the others were.
    package internal(set) var failures: [BodyConversionError] = []
}

/// Why a text cannot be converted.
package struct BodyConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let offset: Int
    package let description: String

    init(_ description: String, at offset: Int) { (self.description, self.offset) = (description, offset) }
}

/// A push service whose bodies can be converted.
package enum BodyFormat: String, Hashable, Sendable, CaseIterable {
    /// Firebase Cloud Messaging, HTTP v1.
    case firebase
    /// The push service of Expo.
    case expo

    /// For people.
    var title: String { self == .firebase ? "Firebase HTTP v1" : "Expo" }
}

/// Converts bodies of other push services to envelopes.
package struct BodyConverter: Sendable {
    /// Nil recognizes it.
    package var format: BodyFormat?
    /// The app, for a body that has no header `apns-topic`.
    package var app: Topic?
    /// Seconds since 1970-01-01 UTC, for times that are relative.
    package var now: Int64

    package init(format: BodyFormat? = nil, app: Topic? = nil, now: Int64) {
        (self.format, self.app, self.now) = (format, app, now)
    }

    /// - Parameter bytes: One body, or an array of them as Expo takes it, of which those that cannot be converted are in
    ///   `failures`.
    package func convert(_ bytes: [UInt8]) throws(BodyConversionError) -> BodyConversion {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(bytes)
        } catch {
            throw BodyConversionError("this is not JSON: \(error.description)", at: error.offset)
        }
        var conversion = BodyConversion()
        if document.kind(of: .root) == .array {
            var isEmpty = true
            for element in document.elements(of: .root) {
                isEmpty = false
                do throws(BodyConversionError) {
                    try convert(element, of: document, bytes, into: &conversion)
                } catch {
                    conversion.failures.append(error)
                }
            }
            guard !isEmpty else { throw BodyConversionError("the array is empty", at: 0) }
        } else {
            try convert(.root, of: document, bytes, into: &conversion)
        }
        return conversion
    }

    private func convert(
        _ index: JSONIndex, of document: JSONDocument, _ bytes: [UInt8], into conversion: inout BodyConversion
    ) throws(BodyConversionError) {
        let part = BodyPart(document, index, bytes)
        guard document.isObject(index) else {
            throw BodyConversionError("a body is a JSON object", at: part.offset)
        }
        if let format, let other = BodyConverter.other(than: format, part) {
            throw BodyConversionError(
                "this is a body of \(other.title), not of \(format.title); leave out --from, or name \(other.rawValue)",
                at: part.offset)
        }
        switch format ?? BodyConverter.format(of: part) {
        case .firebase:
            guard let message = FirebaseMessage(part) else {
                throw BodyConversionError(
                    "a body of Firebase HTTP v1 has an object message with a token, topic, notification, data or apns",
                    at: part.offset)
            }
            message.convert(self, into: &conversion)
        case .expo:
            ExpoMessage(part).convert(self, into: &conversion)
        case nil: throw BodyConverter.unknown(part)
        }
    }

    /// What a body surely is, if not of the service that is named.
    private static func other(than format: BodyFormat, _ part: BodyPart) -> BodyFormat? {
        let found = BodyConverter.format(of: part)
        return found == format ? nil : found
    }

    /// Nil for something else.
    private static func format(of part: BodyPart) -> BodyFormat? {
        if part["message"]?.isObject == true { return .firebase }
        if part["to"] != nil, part["notification"] == nil, !isFormerFirebase(part) { return .expo }
        return part["apns"] == nil ? nil : .firebase
    }

    /// Whether it is a body of Firebase's former HTTP API, which has a member `to`, as those of Expo have.
    private static func isFormerFirebase(_ part: BodyPart) -> Bool {
        if part["notification"] != nil || part["registration_ids"] != nil { return true }
        guard let to = part["to"] else { return false }
        for address in (to.isArray ? to.elements : [to]).compactMap(\.string) {
            if PastedDeviceToken(address).kind == .firebase || address.hasPrefix("/topics/") { return true }
        }
        // What Expo shows is in the root, and the validator does not look for it.
        guard part["title"] == nil, part["subtitle"] == nil, part["body"] == nil else { return false }
        return otherService(part)?.contains("a body of Firebase") ?? false
    }

    private static func unknown(_ part: BodyPart) -> BodyConversionError {
        let text =
            if part["payload"] != nil || part["aps"] != nil {
                "this is \(part["aps"] == nil ? "an envelope" : "a payload for APNs") already; check it with apns validate"
            } else if isFormerFirebase(part) {
                "this is a body of Firebase's former HTTP API; send title and body of notification as aps.alert, and the "
                    + "members of data beside aps"
            } else if part["app_id"] != nil {
                "this looks like a body of OneSignal, which is not converted; send headings and contents in one language as "
                    + "title and body of aps.alert"
            } else if let other = otherService(part) {
                other
            } else {
                "this is not a body of Firebase HTTP v1 (an object message) or Expo (a member to); name it with --from if it is one"
            }
        return BodyConversionError(text, at: part.offset)
    }

    /// What the validator says of a body of another service, such as a message of Amazon SNS. Nil for anything else.
    private static func otherService(_ part: BodyPart) -> String? {
        var validator = Validator()
        return validator.finding(of: .otherServiceBody, for: Envelope(kind: .payload, payload: part.json))?.message
    }
}
