import APNSPayload
import PayloadLint
import Testing

struct BaselineTests {
    private func write(_ checked: [Checked]) -> String {
        var writer = BaselineWriter()
        var text = writer.begin()
        for checked in checked {
            for finding in checked.findings {
                text += writer.entry(for: finding, in: checked.source, file: checked.source.name)
            }
        }
        return text + writer.end()
    }

    private func covers(_ baseline: inout Baseline, _ checked: Checked) -> [Bool] {
        checked.findings.map { baseline.covers($0, in: checked.source, file: checked.source.name) }
    }

    @Test func `a finding is covered after its line has moved and white space has changed`() throws {
        let old = Checked(#"{"aps":{"content-available":true}}"#)
        try #require(old.findings.count == 1)
        var baseline = try Baseline(Array(write([old]).utf8), name: "baseline.json")
        let moved = Checked("\n\n{\n  \"aps\": {\n    \"content-available\": true}, \"x\": 1 }\n")
        #expect(moved.findings.first?.line == 5)
        #expect(covers(&baseline, moved) == [true])
        // An entry covers one occurrence: a second one is new.
        #expect(covers(&baseline, moved) == [false])
    }

    @Test func `another value, another file and another rule are new`() throws {
        var baseline = try Baseline(Array(write([Checked(#"{"aps":{"content-available":true}}"#)]).utf8), name: "b")
        #expect(covers(&baseline, Checked(#"{"aps":{"content-available":1.0}}"#)) == [false])
        #expect(covers(&baseline, Checked(#"{"aps":{"content-available":true}}"#, name: "other.json")) == [false])
        #expect(covers(&baseline, Checked(#"{"aps":true}"#)) == [false])
    }

    @Test func `lines of a stream are distinguished by their whole content`() throws {
        let line = #"{"aps":{"content-available":true},"n":1}"#
        var baseline = try Baseline(Array(write([Checked(line, name: "a.ndjson", line: 7)]).utf8), name: "b")
        #expect(
            covers(&baseline, Checked(#"{"aps":{"content-available":true},"n":2}"#, name: "a.ndjson")) == [false])
        #expect(covers(&baseline, Checked(line, name: "a.ndjson", line: 99)) == [true])
    }

    @Test func `entries that no longer occur are listed for finished files only`() throws {
        let checked = ["a.json", "b.json", "c.json"].map { Checked(#"{"aps":true}"#, name: $0) }
        var baseline = try Baseline(Array(write(checked).utf8), name: "b")
        _ = covers(&baseline, checked[0])
        baseline.finished("a.json")
        baseline.finished("b.json")
        baseline.finished("nobody.json")
        #expect(baseline.obsolete.map(\.file) == ["b.json"])
        #expect(baseline.obsolete.map(\.rule) == ["aps-object"])
        #expect(baseline.unfinishedFiles == ["c.json"])
    }

    @Test(arguments: [
        ("{", "b.json:1:2: the baseline is not JSON"), ("[]", "b.json is not a baseline of this version"),
        (#"{"apns-validate-baseline":2,"findings":[]}"#, "is not a baseline of this version"),
        ("{\"apns-validate-baseline\":1,\"findings\":[\n{\"file\":1}]}", "b.json:2: an entry of the baseline needs"),
    ])
    func `an invalid baseline is reported`(text: String, message: String) {
        let error = #expect(throws: Baseline.FormatError.self) { try Baseline(Array(text.utf8), name: "b.json") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `an empty baseline is valid`() throws {
        let baseline = try Baseline(Array(write([]).utf8), name: "b")
        #expect(baseline.obsolete.isEmpty && baseline.unfinishedFiles.isEmpty)
    }
}
