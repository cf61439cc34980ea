/// File names in the forms that other tools expect in reports.
package enum FileAddress {
    /// The path without leading `./`, because CI platforms compare paths exactly.
    package static func path(_ name: String) -> String {
        var rest = name[...]
        while rest.hasPrefix("./") {
            rest = rest.dropFirst(2).drop { $0 == "/" }
        }
        return rest.isEmpty ? name : String(rest)
    }

    /// The same for an absolute path, relative to `folder` where it is below that, because a report is read in a checkout.
    ///
    /// - Parameter folder: An absolute path; nil if it is unknown.
    static func path(_ name: String, in folder: String?) -> String {
        guard let folder, folder.begins(with: "/"), name.begins(with: "/") else { return path(name) }
        let base = folder.ends(with: "/") ? folder : folder + "/"
        guard name.begins(with: base) else { return path(name) }
        let rest = name.utf8.dropFirst(base.utf8.count).drop { $0 == UInt8(ascii: "/") }
        return rest.isEmpty ? path(name) : path(String(decoding: rest, as: UTF8.self))
    }

    /// A URI reference (RFC 3986); relative for a relative path.
    static func uri(_ name: String) -> String {
        var uri = name.hasPrefix("/") ? "file://" : ""
        for byte in path(name).utf8 {
            if isPlain(byte) {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                uri += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return uri
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
