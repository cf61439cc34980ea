import Foundation
import ProviderToken
import Testing

@testable import Doctor

/// What a deployment does to the text of a .p8 file.
struct KeyChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let oddities: [KeyForm.Oddity]
    let apply: @Sendable (String) throws -> Data

    private init(
        _ name: String, _ oddities: [KeyForm.Oddity], bytes: @escaping @Sendable (String) throws -> Data
    ) {
        testDescription = name
        self.oddities = oddities
        apply = bytes
    }

    private init(
        _ name: String, _ oddities: [KeyForm.Oddity], text: @escaping @Sendable (String) throws -> String
    ) {
        self.init(name, oddities, bytes: { Data(try text($0).utf8) })
    }

    static let all: [KeyChange] = ofLines + ofSurroundings + ofEncodings + ofBase64

    private static let ofLines: [KeyChange] = [
        .init("literal \\n", [.escapedLineEnds], text: { escaped($0) }),
        .init("doubled backslashes", [.escapedLineEnds], text: { escaped($0, "\\\\n") }),
        .init("literal \\r\\n", [.escapedLineEnds], text: { escaped($0, "\\r\\n") }),
        .init("backslashes before line ends", [.escapedLineEnds], text: { escaped($0, "\\\n") }),
        .init("literal \\n before line ends", [.escapedLineEnds], text: { escaped($0, "\\n\n") }),
        .init("carriage returns", [.carriageReturns], text: { escaped($0, "\r") }),
        .init("spaces for line ends", [.noLineEnds], text: { escaped($0, " ") }),
        .init("no line ends", [.noLineEnds], text: { escaped($0, "") }),
        .init("indented", [.indentation], text: { indented($0) }),
        .init("indented with tabs", [.indentation], text: { indented($0, by: "\t") }),
    ]

    private static let ofSurroundings: [KeyChange] = [
        .init("in quotation marks", [.quotationMarks], text: { "\"\($0)\"" }),
        .init("in backticks", [.quotationMarks], text: { "`\($0)`" }),
        .init("quotes with literal \\n", [.quotationMarks, .escapedLineEnds], text: { "'\(escaped($0))'\n" }),
        .init(
            "a value copied out of JSON", [.quotationMarks, .escapedLineEnds, .textAround],
            text: { "\"\(escaped($0))\"," }),
        .init("JSON", [.escapedLineEnds, .textAround], text: { object(escaped($0)) }),
        .init(
            "JSON with escaped slashes", [.escapedLineEnds, .textAround],
            text: { object(escaped($0).replacingOccurrences(of: "/", with: "\\/")) + "\n" }),
        .init(
            "JSON in a string", [.quotationMarks, .escapedLineEnds, .textAround],
            text: { "\"{\\\"key\\\":\\\"" + escaped($0, "\\\\n") + "\\\"}\"" }),
        .init("a file of variables", [.textAround], text: { "APNS_KEY=\"\($0)\"\n" }),
        .init("YAML", [.indentation, .textAround], text: { "key: |\n" + indented($0) }),
        .init("a note behind it", [.textAround], text: { $0 + "\n# the key of 2026\n" }),
        .init("a byte-order mark", [.byteOrderMark], text: { "\u{FEFF}" + $0 }),
        .init(
            "a mark, quotes and literal \\n", [.byteOrderMark, .quotationMarks, .escapedLineEnds],
            text: { "\u{FEFF}\"\(escaped($0))\"" }),
        .init("two keys", [.severalKeys(count: 2)], text: { try $0 + another() }),
        .init(
            "two keys with notes", [.textAround, .severalKeys(count: 2)],
            text: { try "a\n" + $0 + "b\n" + another() + "c" }),
    ]

    private static let ofEncodings: [KeyChange] = [
        .init("UTF-16LE", [.utf16(encoding: "UTF-16LE")], bytes: { utf16($0) }),
        .init("UTF-16BE", [.utf16(encoding: "UTF-16BE")], bytes: { utf16($0, isBigEndian: true) }),
        .init("UTF-16 with a mark", [.utf16(encoding: "UTF-16")], bytes: { utf16("\u{FEFF}" + $0) }),
        .init(
            "UTF-16BE with a mark", [.utf16(encoding: "UTF-16")],
            bytes: { utf16("\u{FEFF}" + $0, isBigEndian: true) }),
        .init(
            "UTF-16BE with literal \\n", [.utf16(encoding: "UTF-16BE"), .escapedLineEnds],
            bytes: { utf16(escaped($0), isBigEndian: true) }),
        .init(
            "base64 in UTF-16", [.utf16(encoding: "UTF-16LE"), .base64(isURL: false, missing: 0, isBody: false)],
            bytes: { utf16(base64($0)) }),
        .init("DER", [.der], bytes: { Data(base64Encoded: bodyOfPEM($0)) ?? Data() }),
        .init("base64", [.base64(isURL: false, missing: 0, isBody: false)], text: { base64($0) }),
        .init(
            "base64 in quotes", [.quotationMarks, .base64(isURL: false, missing: 0, isBody: false)],
            text: { "\"\(base64($0))\"" }),
        .init("the body alone", [.base64(isURL: false, missing: 0, isBody: true)], text: { bodyOfPEM($0) }),
        .init(
            "the body in lines", [.base64(isURL: false, missing: 0, isBody: true)],
            text: { lines(of: $0, joinedBy: "\r\n") + "\r\n" }),
        .init(
            "the body with literal \\n", [.escapedLineEnds, .base64(isURL: false, missing: 0, isBody: true)],
            text: { lines(of: $0, joinedBy: "\\n") }),
        .init("base64url of DER", [.base64(isURL: true, missing: 0, isBody: true)], text: { url(bodyOfPEM($0)) }),
    ]

    /// Base64 of what was changed before.
    private static let ofBase64: [KeyChange] = [
        .init(
            "base64 of quotes and literal \\n",
            [.base64(isURL: false, missing: 0, isBody: false), .quotationMarks, .escapedLineEnds],
            text: { base64(padded("\"\(escaped($0))\"", over: 0)) }),
        .init(
            "base64 of JSON, without padding",
            [.base64(isURL: false, missing: 2, isBody: false), .escapedLineEnds, .textAround],
            text: { url(base64(padded(object(escaped($0)), over: 1))) }),
        .init(
            "base64 without padding", [.base64(isURL: false, missing: 1, isBody: false)],
            text: { url(base64(padded($0, over: 2))) }),
    ]
}

// MARK: Steps

/// The base64 of a .p8 file.
func bodyOfPEM(_ p8: String) -> String { p8.split(separator: "\n").dropFirst().dropLast().joined() }

private func lines(of p8: String, joinedBy separator: String) -> String {
    p8.split(separator: "\n").dropFirst().dropLast().joined(separator: separator)
}

private func escaped(_ text: String, _ lineEnd: String = "\\n") -> String {
    text.replacingOccurrences(of: "\n", with: lineEnd)
}

private func indented(_ text: String, by space: String = "    ") -> String {
    text.split(separator: "\n").map { "\(space)\($0)\n" }.joined()
}

/// - Parameter text: With its escapes.
private func object(_ text: String) -> String { "{\"key\":\"" + text + "\"}" }

private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

/// With the letters of base64url and without padding.
private func url(_ base64: String) -> String {
    base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}

/// With line feeds behind it, so that of each three bytes so many are over. Their number says how base64 ends.
private func padded(_ text: String, over: Int) -> String {
    text + String(repeating: "\n", count: (over + 3 - text.utf8.count % 3) % 3)
}

private func utf16(_ text: String, isBigEndian: Bool = false) -> Data {
    var bytes: [UInt8] = []
    for unit in text.utf16 {
        let pair = [UInt8(unit >> 8), UInt8(unit & 0xff)]
        bytes += isBigEndian ? pair : [pair[1], pair[0]]
    }
    return Data(bytes)
}

private func another() throws -> String { String(decoding: try SigningKey.generate().p8, as: UTF8.self) }
