import PushDispatch
import ServiceHost
import Testing

struct ControlMembersTests {
    private func members(_ value: JSONValue) throws -> ControlMembers { try ControlMembers(value, "the body") }

    /// What a reader says about a value.
    private func message<Value>(
        _ value: JSONValue, _ read: (inout ControlMembers) throws(ControlProblem) -> Value
    ) -> String? {
        do throws(ControlProblem) {
            var members = try ControlMembers(["key": value], "the body")
            _ = try read(&members)
            return nil
        } catch {
            #expect(error.status == 400)
            return error.detail
        }
    }

    private enum Word: String, CaseIterable { case one, two }

    @Test func `each member is read as its type, and null is a missing one`() throws {
        var body = try members([
            "text": "a", "flag": true, "only": true, "whole": 5, "number": 2.5, "time": "1970-01-01T00:00:01Z",
            "seconds": 2, "by": "1m", "word": "two", "nothing": .null,
        ])
        #expect(try body.string("text") == "a")
        #expect(try body.flag("flag") == true)
        let isOnly = try body.isTrue("only")
        #expect(isOnly)
        #expect(try body.integer("whole", in: 1...5) == 5)
        #expect(try body.number("number", in: 0...3) == 2.5)
        #expect(try body.time("time") == 1_000)
        #expect(try body.time("seconds") == 2_000)
        #expect(try body.duration("by") == 60_000)
        #expect(try body.word("word", Word.self) == .two)
        #expect(try body.string("nothing") == nil)
        #expect(try body.string("missing") == nil)
        try body.finish()
    }

    @Test func `a value that does not fit is named with what is wanted`() {
        #expect(message(1) { (body) throws(ControlProblem) in try body.string("key") }?.contains("a string") == true)
        #expect(
            message("x") { (body) throws(ControlProblem) in try body.flag("key") }?.contains("true or false") == true)
        #expect(
            message(false) { (body) throws(ControlProblem) in try body.isTrue("key") } == "the body: key takes true")
        #expect(
            message(6) { (body) throws(ControlProblem) in try body.integer("key", in: 1...5) }?
                .contains("from 1 to 5") == true)
        #expect(message(1.5) { (body) throws(ControlProblem) in try body.integer("key", in: 1...5) } != nil)
        #expect(message(2) { (body) throws(ControlProblem) in try body.number("key", in: 0...1) } != nil)
        #expect(message("soon") { (body) throws(ControlProblem) in try body.time("key") } != nil)
        #expect(message("soon") { (body) throws(ControlProblem) in try body.duration("key") } != nil)
        #expect(
            message("2h") { (body) throws(ControlProblem) in try body.duration("key", in: 0...3_600_000) }
                == "the body: key is 2h; 0s to 1h is wanted")
        #expect(
            message("three") { (body) throws(ControlProblem) in try body.word("key", Word.self) }?
                .contains("one of one, two is wanted") == true)
        #expect(
            message(.null) { (body) throws(ControlProblem) in try body.requiredString("key") }
                == "the body: key is missing")
    }

    @Test func `a member that nothing reads is misspelt, and the known ones are listed`() throws {
        var body = try members(["delay": "1s", "cuont": 1])
        _ = try body.duration("delay")
        _ = try body.integer("count", in: 1...5)
        let problem = #expect(throws: ControlProblem.self) { try body.finish() }
        #expect(problem?.detail == #"the body: there is no key "cuont"; there are delay, count"#)
    }

    @Test func `a body that is not an object is named by its kind`() {
        let problem = #expect(throws: ControlProblem.self) { try members([1]) }
        #expect(problem?.detail == "the body is an array; an object is wanted")
    }
}
