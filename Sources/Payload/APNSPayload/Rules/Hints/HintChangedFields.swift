import PayloadJSON

extension Rule {
    public static let hintChangedFields = Rule(
        id: "hint-changed-fields", severity: .warning, layer: .device, looksAt: .hint, reads: .customInRoot,
        summary: "The `changedFields` of a hint is one string of names, separated by commas.",
        rationale: """
            The app splits the string at its commas and ignores white space, empty names and repeated names. It \
            ignores any other value, such as an array.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""changedFields":"Name, Owner, Type"}"#),
            Example(#"{"aps":{"alert":"Hi"},"changedFields":["Name"]}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""changedFields":["Name","Owner"]}"#),
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""changedFields":"Name, , Name"}"#),
        ]
    ) { notification, findings in
        guard notification.hintKind == .accountUpdate,
            let value = notification.document.member("changedFields", of: .root)
        else { return }
        guard !FieldNames.areRight(value, of: notification.document) else { return }
        guard let text = notification.document.string(of: value) else {
            return findings.report(
                "changedFields is \(notification.document.kind(of: value).inWords); it must be one string such as "
                    + "\"Name, Owner\"", at: notification.place(ofValue: value))
        }
        var seen: Set<String> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            guard !name.isEmpty, seen.insert(name).inserted else {
                return findings.report(
                    "changedFields has \(name.isEmpty ? "an empty name" : "\(name) twice"); the app ignores it",
                    at: notification.place(ofValue: value))
            }
        }
    }
}

/// The names in `changedFields`, compared as bytes: making a string and a set of names for each hint takes longer than
/// all other rules.
private enum FieldNames {
    /// More names are compared as strings.
    private static let maximum = 16

    /// Whether this is a string of a few distinct names in ASCII, none of them empty. False where that is not certain.
    static func areRight(_ value: JSONIndex, of document: borrowing JSONDocument) -> Bool {
        guard let range = document.plainRange(of: value) else { return false }
        return document.bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: maximum) { names in
                var count = 0
                var start = range.lowerBound
                while true {
                    var end = start
                    while end < range.upperBound, bytes[end] != UInt8(ascii: ",") {
                        // Equal strings can have different bytes elsewhere.
                        guard bytes[end] < 0x80 else { return false }
                        end += 1
                    }
                    let name = trimmed(start..<end, bytes)
                    guard !name.isEmpty, count < maximum else { return false }
                    for other in 0..<count where areEqual(names[other], name, bytes) { return false }
                    names[count] = name
                    count += 1
                    guard end < range.upperBound else { return true }
                    start = end + 1
                }
            }
        }
    }

    private static func trimmed(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
        while end > start, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
        return start..<end
    }

    private static func areEqual(
        _ left: Range<Int>, _ right: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        for place in 0..<left.count where bytes[left.lowerBound + place] != bytes[right.lowerBound + place] {
            return false
        }
        return true
    }
}
