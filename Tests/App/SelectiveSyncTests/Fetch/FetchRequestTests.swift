import Testing

@testable import SelectiveSync

struct FetchRequestTests {
    private let request = FetchRequest(
        object: "Account", records: [.test(1), .test(2)], fields: [], timeoutMilliseconds: 1)

    @Test func `there is one answer for each id, in the same order`() throws {
        try request.check([.missing(.test(1)), .record(.test(2))])
        for answers: [FetchedRecord] in [
            [], [.missing(.test(1))], [.missing(.test(2)), .missing(.test(1))],
            [.missing(.test(1)), .missing(.test(2)), .missing(.test(3))],
        ] {
            #expect { try request.check(answers) } throws: {
                ($0 as? FetchError)?.code == .badReply && ($0 as? FetchError)?.advice == .retryLater
            }
        }
    }
}
