import PushDispatch
import SelectiveSync

// Queries: any text, and the conditions that the app library makes of any value. The files of the simulated CRM's query
// language are compiled together with this one.

/// In the place of the triggers, which need the rest of the CRM and which no query reads.
package struct PushTrigger: Hashable, Sendable {
    package static let account = PushTrigger()
    package static let interaction = PushTrigger()
}

private let now = ServerDate(millisecondsSince1970: 1_779_310_172_000)
private let user = RecordID("005xx0000000001")!

private func account(_ number: Int, _ fields: [String: JSONValue]) -> OrgRecord {
    let digits = String(number)
    return OrgRecord(
        id: RecordID("001xx000000000" + digits)!, object: "Account", owner: user, lastModifiedBy: user,
        lastModified: now,
        systemModstamp: now, created: now, createdBy: user, deleted: nil, fields: fields)
}

private let others = [
    account(1, ["Name": .string("Beta"), "Phone": .integer(7)]), account(2, ["Name": .null]), account(3, [:]),
]

private func read(_ text: String) throws(OrgError) -> SOQLQuery {
    try SOQLReader.read(text, at: now, shape: { OrgObject.named($0) }, isReadable: { _, field in field != "Industry" })
}

extension OrgObject {
    fileprivate static func named(_ name: Substring) -> OrgObject? {
        [account, interaction].first { $0.name.lowercased() == name.lowercased() }
    }
}

extension RecordFilter {
    /// What each condition of this target means, for a record whose name is a string or nothing.
    fileprivate func matches(_ record: OrgRecord, _ text: String) -> Bool {
        let text = text.lowercased()
        guard case .string(let value)? = record.fields["Name"] else {
            if case .not = self { return true } else { return false }
        }
        let name = value.lowercased()
        let scalars = Array(name.unicodeScalars)
        return switch self {
        case .hasPrefix: scalars.starts(with: text.unicodeScalars)
        case .contains: name == text || scalars.indices.contains { scalars[$0...].starts(with: text.unicodeScalars) }
        case .not: name != text && name != "beta"
        default: name == text
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSOQL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    do {
        var query = try read(text)
        query.condition = query.condition?.resolved({ _ in others }, { _ in others[0] })
        let found = query.select(from: others) { _ in others[0] }
        precondition(found.count <= min(query.limit ?? .max, others.count), "a query finds more than there is")
        precondition(Set(found).isSubset(of: others), "a query finds what is not there")
    } catch {
        precondition(error.status == 400 && !error.message.isEmpty, "a refusal says nothing")
        precondition(error.message.utf8.count < 1_000, "a refusal repeats the query")
    }
    // A value finds the record that has it, and no text gets out of its quotes.
    let records = others + [account(4, ["Name": .string(text)])]
    for filter in [
        RecordFilter.field("Name", .equal, .string(text)), .hasPrefix(field: "Name", text),
        .contains(field: "Name", text),
        .not(.field("Name", isOneOf: [.string(text), "Beta"])),
    ] {
        guard let condition = try? filter.text(), condition.utf8.count < 90_000 else { continue }
        guard let query = try? read("SELECT Id FROM Account WHERE \(condition)") else {
            preconditionFailure("a condition of the library is refused")
        }
        for record in records {
            let isFound = query.select(from: [record]) == [record]
            precondition(
                isFound == filter.matches(record, text), "a condition matches what it should not, or the reverse")
        }
    }
    return 0
}
