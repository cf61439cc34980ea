import PushDispatch
import Testing

@testable import SelectiveSync

struct ConcurrentAnswersTests {
    private var answers = ConcurrentAnswers()
    private let present = FetchedRecord.record(.test(1))
    private let missing = FetchedRecord.missing(.test(1))

    private mutating func expect(
        _ answer: FetchedRecord, _ sequence: Int, of object: String = "Account", isBelieved: Bool,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let (accepted, again) = answers.resolve([answer], of: object, from: sequence)
        #expect(accepted == (isBelieved ? [answer] : []), sourceLocation: location)
        #expect(again == (isBelieved ? [] : [answer.id]), sourceLocation: location)
    }

    @Test mutating func `of two answers in flight together the second is not accepted if it contradicts the first`() {
        let (first, second, third) = (answers.beginRequest(), answers.beginRequest(), answers.beginRequest())
        expect(present, first, isBelieved: true)
        expect(missing, second, isBelieved: false)
        expect(present, third, isBelieved: true)
    }

    @Test mutating func `a request that starts after an answer is newer than it`() {
        let first = answers.beginRequest()
        let open = answers.beginRequest()
        expect(present, first, isBelieved: true)
        answers.endRequest(first)
        let later = answers.beginRequest()
        expect(missing, later, isBelieved: true)
        expect(present, open, isBelieved: false)
    }

    @Test mutating func `a deletion by an upload contradicts a request that started before it`() {
        let before = answers.beginRequest()
        answers.deleted(.test(1), of: "Account")
        let after = answers.beginRequest()
        expect(present, before, of: "Case", isBelieved: true)
        expect(present, before, isBelieved: false)
        expect(present, after, isBelieved: true)
    }

    @Test mutating func `nothing is remembered when no request is in flight`() {
        answers.deleted(.test(1), of: "Account")
        let first = answers.beginRequest()
        expect(present, first, isBelieved: true)
        answers.endRequest(first)
        let second = answers.beginRequest()
        expect(missing, second, isBelieved: true)
    }
}
