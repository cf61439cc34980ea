import SelectiveSync

// Queries of the simulated CRM. The files of its query language are compiled together with this one.

private let objects: [OrgObject] = [.account, .interaction, .pushDevice]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSOQL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    do throws(OrgError) {
        _ = try SOQLReader.read(
            text, at: ServerDate(millisecondsSince1970: 1_767_225_600_000),
            shape: { name in objects.first { $0.name.lowercased() == name.lowercased() } },
            isReadable: { _, field in field != "Secret__c" })
    } catch {
        precondition(!"\(error)".isEmpty, "an error says nothing")
    }
    return 0
}
