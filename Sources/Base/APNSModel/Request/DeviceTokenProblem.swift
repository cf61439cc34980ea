/// Why a string is not a device token: the forms in which tools and people show one, and what is mistaken for one.
///
/// Everything that reports a wrong device token takes its words from here. None of them quotes the text.
package enum DeviceTokenProblem: Hashable, Sendable {
    case empty
    /// `<740f4707 bebcf74f …>`, the description of an NSData object before iOS 13, or `{length = 32, bytes = 0x740f4707…}`
    /// with all digits.
    case dataDescription
    /// `{length = 32, bytes = 0x740f4707 … }` since then, or `32 bytes`. Most digits are missing.
    case dataSummary
    /// `740f…78ad`, as logs show one. Most digits are missing.
    case shortened
    /// `xxx:APA91b…`, a registration token of Firebase Cloud Messaging.
    case firebase
    /// `ExponentPushToken[…]`.
    case expo
    case uuid
    case quoted
    case whiteSpace
    /// Colons, hyphens or commas between the digits.
    case separated
    case prefix
    /// Base64 or base64url of so many bytes.
    case base64(Int)
    /// `[116, 15, 71, …]`, so many bytes as decimal numbers; also without brackets.
    case byteList(Int)
    /// `Optional(…)` around another form.
    case optional
    /// `deviceToken: …`, a word or more before it.
    case labelled
    case oddDigits(Int)
    /// So many whole device tokens, with a separator between them.
    case several(Int)
    /// The first wrong character and its position, from 1.
    case character(Unicode.Scalar, at: Int)

    /// Nil for a valid device token.
    package init?(_ text: some StringProtocol) {
        var text = String(text)
        let isRight = text.withUTF8 { digits in
            // The loop has no early exit, so the compiler can vectorize it.
            var isHex = true
            for digit in digits { isHex = isHex && digit.isHexDigit }
            return isHex && !digits.isEmpty && digits.count.isMultiple(of: 2)
        }
        if isRight { return nil }
        guard let wrong = text.unicodeScalars.enumerated().first(where: { !$0.element.isHex }) else {
            self = text.isEmpty ? .empty : .oddDigits(text.utf8.count)
            return
        }
        self = DeviceTokenProblem.form(of: text) ?? .character(wrong.element, at: wrong.offset + 1)
    }

    /// The longest text whose form is looked for. A device token has at most 200 digits (docs/reference/apns.md 8).
    private static let maximumBytes = 1024
    /// The longest text in which whole device tokens are counted.
    private static let maximumListBytes = 65_536

    private static func form(of text: String) -> DeviceTokenProblem? {
        if text.utf8.count <= maximumListBytes, let count = count(ofDeviceTokensIn: text) { return .several(count) }
        guard text.utf8.count <= maximumBytes else { return nil }
        let word = text.drop(while: \.isWhitespace)
        if let wrapped = unwrapped(text) { return formOfOptional(wrapped) }
        if let bytes = bytes(ofList: text) { return .byteList(bytes.count) }
        if digits(ofSummary: text) != nil { return .dataDescription }
        if word.hasPrefix("<"), word.contains(where: \.isHexDigit), word.allSatisfy(isOfDescription) {
            return .dataDescription
        }
        if word.hasPrefix("{length") || isByteCount(word) { return .dataSummary }
        if isShortened(text.filter { !quotationMarks.contains($0) }) { return .shortened }
        if labelled(text) != nil { return .labelled }
        if let first = word.first, "\"'“‘`".contains(first) { return .quoted }
        if word.split(separator: ":").contains(where: { $0.hasPrefix("APA91b") }) { return .firebase }
        if word.hasPrefix("ExponentPushToken[") || word.hasPrefix("ExpoPushToken[") { return .expo }
        if NotificationID(word) != nil { return .uuid }
        if text.unicodeScalars.contains(where: \.properties.isWhitespace) { return .whiteSpace }
        if text.hasPrefix("0x") || text.hasPrefix("0X") { return .prefix }
        if text.unicodeScalars.allSatisfy({ $0.isHex || ":-,".unicodeScalars.contains($0) }) { return .separated }
        return base64Bytes(of: text).map { .base64($0.count) }
    }

    /// How many parts a text has that are whole device tokens; nil for less than two, and where another part is shorter.
    private static func count(ofDeviceTokensIn text: String) -> Int? {
        let parts = text.split { !$0.isLetter && !$0.isNumber }.map {
            $0.hasPrefix("0x") || $0.hasPrefix("0X") ? $0.dropFirst(2) : $0
        }
        let areWhole = parts.allSatisfy { $0.utf8.count >= completeDigits && $0.utf8.allSatisfy(\.isHexDigit) }
        return parts.count > 1 && areWhole ? parts.count : nil
    }

    /// Three dots are what somebody puts for the rest of the digits.
    private static func isOfDescription(_ character: Character) -> Bool {
        character.isHexDigit || character.isWhitespace || "<>.…".contains(character)
    }

    /// What is not a device token for another reason than `Optional` keeps that reason.
    private static func formOfOptional(_ wrapped: String) -> DeviceTokenProblem {
        switch DeviceTokenProblem(wrapped.filter { !quotationMarks.contains($0) }) {
        case let problem? where [.dataSummary, .shortened, .firebase, .expo, .uuid].contains(problem): problem
        default: .optional
        }
    }

    /// What is in the brackets of `Optional(…)`.
    private static func unwrapped(_ text: String) -> String? {
        let word = trimmed(text)
        guard word.hasPrefix("Optional("), word.hasSuffix(")") else { return nil }
        return String(word.dropFirst("Optional(".count).dropLast())
    }

    /// What follows a label and a colon or an equals sign, if that shows a whole device token.
    private static func labelled(_ text: String) -> String? {
        // Behind the last mark nothing has a label, so this calls itself once at most.
        guard let mark = text.lastIndex(where: { $0 == ":" || $0 == "=" }) else { return nil }
        let label = text[..<mark]
        // The digits before a colon are digits of a device token.
        guard label.contains(where: { $0.isLetter && !$0.isHexDigit }), !label.hasPrefix("0x"), !label.hasPrefix("0X")
        else { return nil }
        let rest = String(trimmed(String(text[text.index(after: mark)...])))
        guard let token = deviceToken(meantBy: rest), token.hex.utf8.count >= completeDigits else { return nil }
        return rest
    }

    /// The bytes of `[116, 15, 71]`, also without commas, or without brackets. Without brackets, numbers of two digits each
    /// are hexadecimal, and a device token that is wrapped has fewer parts than `fewestNumbers`.
    private static func bytes(ofList text: String) -> [UInt8]? {
        let word = trimmed(text)
        let isBracketed = word.hasPrefix("[") && word.hasSuffix("]")
        let content = isBracketed ? word.dropFirst().dropLast() : word
        let numbers = content.split { $0 == "," || $0.isWhitespace }
        if !isBracketed {
            guard numbers.count >= fewestNumbers, numbers.contains(where: { $0.utf8.count != 2 }) else { return nil }
        }
        let bytes = numbers.compactMap { UInt8($0) }
        return bytes.isEmpty || bytes.count != numbers.count ? nil : bytes
    }

    private static let fewestNumbers = 16

    /// A device token with as many is whole, whatever follows.
    private static let completeDigits = 64

    /// Digits, then `…` or `...`, then perhaps more digits.
    private static func isShortened(_ text: String) -> Bool {
        let word = trimmed(text)
        guard let start = word.firstIndex(where: { !$0.isHexDigit }), start != word.startIndex,
            word[..<start].utf8.count < completeDigits
        else { return false }
        let rest = word[start...].drop { $0 == "." || $0 == "…" }
        let dots = word[start..<rest.startIndex]
        return (dots == "…" || dots == "...") && rest.allSatisfy(\.isHexDigit)
    }

    /// The digits of `{length = 32, bytes = 0x740f4707…}`; nil where some are missing.
    private static func digits(ofSummary text: String) -> String? {
        let parts = text.filter { !$0.isWhitespace }.split(separator: ",")
        guard parts.count == 2, parts[0].hasPrefix("{length="), parts[1].hasPrefix("bytes=0x"), parts[1].hasSuffix("}")
        else { return nil }
        let digits = parts[1].dropFirst("bytes=0x".count).dropLast()
        let length = Int(parts[0].dropFirst("{length=".count))
        guard DeviceTokenProblem(digits) == nil, length == digits.utf8.count / 2 else { return nil }
        return String(digits)
    }

    private static func trimmed(_ text: String) -> Substring {
        let word = text.drop(while: \.isWhitespace)
        return word.lastIndex { !$0.isWhitespace }.map { word[...$0] } ?? ""
    }

    private static let quotationMarks = "\"'“”‘’`"

    /// `32 bytes`
    private static func isByteCount(_ text: Substring) -> Bool {
        let parts = text.split(separator: " ")
        return parts.count == 2 && Int(parts[0]) != nil && parts[1] == "bytes"
    }

    /// Nil for fewer than 40 characters: so short a text is more likely not base64. At least a quarter of them must not be
    /// hexadecimal digits, as two in three are on average; with fewer it is a device token with typing errors.
    private static func base64Bytes(of text: String) -> [UInt8]? {
        let others = text.unicodeScalars.count { !$0.isHex }
        guard text.utf8.count >= 40, 4 * others >= text.utf8.count else { return nil }
        var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        while !standard.utf8.count.isMultiple(of: 4) { standard.append("=") }
        return try? Base64.decode(standard.utf8, as: .padded)
    }

    /// The device token that `text` shows in another form; nil where it lacks digits or is something else.
    package static func deviceToken(meantBy text: some StringProtocol) -> DeviceToken? {
        let text = String(text)
        switch DeviceTokenProblem(text) {
        case nil: return DeviceToken(text)
        case .dataDescription, .quoted, .whiteSpace, .separated, .prefix:
            if let all = digits(ofSummary: text) { return DeviceToken(all) }
            let marks = quotationMarks + "<>:-,"
            var letters = text.filter { !$0.isWhitespace && !marks.contains($0) }
            if letters.hasPrefix("0x") || letters.hasPrefix("0X") { letters.removeFirst(2) }
            return DeviceToken(letters)
        case .base64: return base64Bytes(of: text).flatMap { DeviceToken($0) }
        case .byteList: return bytes(ofList: text).flatMap { DeviceToken($0) }
        case .labelled: return labelled(text).flatMap { deviceToken(meantBy: $0) }
        case .optional: return unwrapped(text).flatMap { deviceToken(meantBy: $0) }
        default: return nil
        }
    }
}

extension DeviceTokenProblem: CustomStringConvertible {
    /// What follows "the device token" in a sentence.
    package var description: String {
        switch self {
        case .empty: "is empty"
        case .dataDescription: "is the description of a Data value, with brackets"
        case .dataSummary: "is the shortened description of a Data value"
        case .shortened: "is the shortened form of a device token, as logs show it"
        case .firebase: "is a registration token of Firebase Cloud Messaging"
        case .expo: "is a push token of Expo"
        case .uuid: "is a UUID"
        case .quoted: "is in quotation marks"
        case .whiteSpace: "contains white space"
        case .separated: "has colons, hyphens or commas between its digits"
        case .prefix: "begins with 0x"
        case .base64(let count): "looks like base64 of \(count) bytes"
        case .byteList(let count): "is a list of \(count) bytes as decimal numbers"
        case .optional: "is the description of an Optional value"
        case .labelled: "has a label before it"
        case .oddDigits(let count): "has \(count) digits, an odd number"
        case .several(let count): "contains \(count) device tokens"
        case .character(let scalar, let position):
            "has \(scalar.named) at character \(position), which is not a hexadecimal digit"
        }
    }

    /// What to do, as the second part of the sentence.
    package var advice: String {
        switch self {
        case .dataDescription: "write only its hexadecimal digits, without brackets and spaces"
        case .dataSummary: "digits are missing in it; in the app write all: \(DeviceTokenProblem.inSwift)"
        case .shortened: "digits are missing in it; take all from the app, or from where the server stores them"
        case .firebase:
            "only Firebase sends to it; APNs takes the device token that the app gets from the system, "
                + "which Firebase calls apnsToken"
        case .expo:
            "only Expo sends to it; APNs takes the device token of the system, from getDevicePushTokenAsync()"
        case .uuid: "a device token has no hyphens, and 64 hexadecimal digits in most cases"
        case .quoted: "write only its hexadecimal digits, without the marks"
        case .whiteSpace, .separated: "write only its hexadecimal digits, without a separator"
        case .prefix: "write only the hexadecimal digits after it"
        case .base64, .byteList:
            "write these bytes in hexadecimal digits, in the app: \(DeviceTokenProblem.inSwift)"
        case .labelled: "write only what follows the label"
        case .optional: "unwrap it in the app, and write only its hexadecimal digits"
        case .oddDigits: "each byte has two, so one was lost or added"
        case .several: "write the digits of one; if they are parts of one on several lines, join them"
        case .empty, .character: "write it in hexadecimal digits, two for each byte"
        }
    }

    private static let inSwift = #"deviceToken.map { String(format: "%02x", $0) }.joined()"#
}

extension Unicode.Scalar {
    fileprivate var isHex: Bool { isASCII && UInt8(value).isHexDigit }
}
