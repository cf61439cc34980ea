import Testing

@testable import APNSPayload

struct LocalizedTextTests {
    @Test(arguments: [
        ("VISIT_BODY", 0, []), ("", 0, []), ("%", 0, []), ("100 %", 0, []), ("50% off", 0, []), ("%%", 0, []),
        ("%%@", 0, []), ("%@", 1, []), ("%@ and %@", 2, []), ("%2$@ and %1$@", 2, []), ("%1$@, %1$@", 1, []),
        ("%3$@", 3, []), ("%@%%%@", 2, []), ("%$@", 0, []), ("%0$@", 0, []), ("%1$", 0, []), ("% @", 0, []),
        ("%d", 0, ["%d"]), ("%1$d of %2$@", 2, ["%1$d"]), ("%lld", 0, ["%lld"]), ("%l@", 0, []), ("äöü %@ 漢字", 1, []),
        ("%99999999999999999999$@", 0, []),
    ])
    func `the placeholders of a format are counted`(format: String, objects: Int, others: [String]) {
        let placeholders = LocalizedText.placeholders(in: format)
        #expect(placeholders.objects == objects, "\(format)")
        #expect(placeholders.others == others, "\(format)")
    }
}
