import PushDispatch
import Testing

@testable import AppPlay

private struct Action: PlayAction, Hashable {
    var name: String
    var points: [String]?
    var seconds: Int64?

    static let names = ["fetch", "flush"]

    static func read(_ name: String, _ members: inout PlayMembers) throws(PlayMistake) -> Action {
        Action(name: name, points: try members.strings("points"), seconds: try members.seconds("timeout"))
    }
}

struct PlayStepTests {
    private func mistake(_ line: String) -> String? {
        do throws(PlayMistake) {
            _ = try PlayStep<Action>.read(Array(line.utf8))
            return nil
        } catch {
            return error.detail
        }
    }

    @Test func `a line is a step`() throws {
        let step = try #require(
            try PlayStep<Action>.read(Array(#"{"do":"fetch","points":["a"],"timeout":1.5}"#.utf8)))
        guard case .app(let action) = step.kind else {
            Issue.record("the step is the app's")
            return
        }
        #expect(action == Action(name: "fetch", points: ["a"], seconds: 1_500))
        guard case .advance(601_000) = try PlayStep<Action>.read(Array(#"{"do":"advance","by":"601s"}"#.utf8))?.kind
        else {
            Issue.record("the step lets time pass")
            return
        }
        for line in ["", "  ", "\r", "# a comment", "  # another"] {
            #expect(try PlayStep<Action>.read(Array(line.utf8)) == nil)
        }
    }

    @Test(arguments: [
        (#"{"do":"fecth"}"#, #"there is no step "fecth"; did you mean "fetch"?"#),
        (#"{"do":"sing"}"#, #"there is no step "sing"; there are advance, fetch, flush, wait"#),
        (#"{"to":"wait"}"#, #"the step has no "do""#),
        (#"{"do":7}"#, #""do" is a number"#),
        (#"["wait"]"#, "it is an array; a step is an object"),
        (#"{"do":"fetch","pionts":[]}"#, #"the step "fetch": there is no key "pionts"; did you mean "points"?"#),
        (#"{"do":"wait","by":"1s"}"#, #"the step "wait": there is no key "by"; it takes only "do""#),
        (#"{"do":"fetch","points":[1]}"#, #""points" is an array; an array of strings is wanted"#),
        (#"{"do":"fetch","timeout":-1}"#, #""timeout" is -1; seconds from 0 on"#),
        (#"{"do":"fetch","timeout":"soon"}"#, #""timeout" is "soon"; seconds from 0 on"#),
        (#"{"do":"fetch","timeout":1e300}"#, #""timeout" is 1e+300; seconds"#),
        (#"{"do":"advance"}"#, #"the step "advance" has no "by"; give it a duration such as 601s"#),
        (#"{"do":"advance","by":"601"}"#, #""by" is "601"; a duration such as"#),
        (#"{"do":"advance","by":"-1s"}"#, #""by" is "-1s"; a duration such as"#),
        (#"{"do":"wait""#, "not JSON at byte 12"),
        ("\u{FEFF}{}", "not JSON at byte 0"),
    ]) func `a mistake says what is wrong and what to do`(_ line: String, _ part: String) {
        #expect(mistake(line)?.contains(part) == true, "\(mistake(line) ?? "no mistake")")
    }

    @Test func `a result is one line, its keys in order`() {
        var result = PlayResult(
            step: 3, name: "fetch", outcome: PlayOutcome("network", [("source", "network"), ("credits", 1)]))
        #expect(
            String(decoding: result.line, as: UTF8.self)
                == #"{"step":3,"do":"fetch","ok":true,"source":"network","credits":1}"#)
        #expect(result.text == "  3  fetch: network")
        result.outcome = PlayOutcome(.init("consent", "no"))
        #expect(
            String(decoding: result.line, as: UTF8.self)
                == #"{"step":3,"do":"fetch","ok":false,"error":"consent","detail":"no"}"#)
        #expect(result.text == "  3  fetch: consent: no")
    }

    @Test func `an expectation names the places that differ, and ignores what it does not have`() {
        let expected = PlayExpectation(["ok": true, "id": "…", "items": [["a": 1]], "left": "out"])
        #expect(
            expected.differences(from: ["ok": false, "id": 7, "items": [["a": 2, "b": 3]], "more": 1]) == [
                "/items/0/a is 2; 1 is expected", "/left is missing; \"out\" is expected",
                "/ok is false; true is expected",
            ])
        #expect(
            PlayExpectation(["items": []]).differences(from: ["items": [1]]) == [
                "/items has 1 elements; 0 are expected"
            ])
        #expect(PlayExpectation(["id": "…"]).differences(from: [:]) == ["/id is missing; \"…\" is expected"])
        #expect(PlayExpectation(["id": "…"]).differences(from: ["id": .null]).isEmpty)
    }
}
