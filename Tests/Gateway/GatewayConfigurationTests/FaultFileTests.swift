import GatewayConfiguration
import GatewayCore
import Testing

struct FaultFileTests {
    private func detail(_ text: String, _ name: String = "faults.json") -> String? {
        do throws(GatewayError) {
            _ = try FaultFile.rules(in: Array(text.utf8), name: name)
            return nil
        } catch {
            return error.detail
        }
    }

    @Test(arguments: [
        ("faults.json", #"[{"effect":{"lose":true}},{"effect":{"reset":7},"count":2}]"#),
        ("faults.ndjson", "{\"effect\":{\"lose\":true}}\n\n{\"effect\":{\"reset\":7},\"count\":2}\r\n"),
        ("faults.jsonl", "{\"effect\":{\"lose\":true}}\n{\"effect\":{\"reset\":7},\"count\":2}"),
        ("faults.yaml", "# two\n- effect: {lose: true}\n- effect:\n    reset: 7\n  count: 2\n"),
        ("faults.yml", "- effect: {lose: true}\n- {effect: {reset: 7}, count: 2}\n"),
        ("more.yaml", #"[{"effect":{"lose":true}},{"effect":{"reset":7},"count":2}]"#),
    ])
    func `a file is an array of rules, or has one on each line`(name: String, text: String) throws {
        let rules = try FaultFile.rules(in: Array(text.utf8), name: name)
        #expect(rules == [FaultRule(.lose), FaultRule(.reset(code: 7, .before), count: 2)])
    }

    @Test func `a file may hold one rule, or none`() throws {
        let one = try FaultFile.rules(in: Array("{\n \"effect\": {\"delay\": \"5s\"}\n}\n".utf8), name: "f.json")
        #expect(one == [FaultRule(.delay(.fixed(5000)))])
        #expect(try FaultFile.rules(in: Array("[]".utf8), name: "f.json").isEmpty)
        #expect(try FaultFile.rules(in: [], name: "f.ndjson").isEmpty)
        #expect(try FaultFile.rules(in: Array("effect: {delay: 5s}".utf8), name: "f.yaml") == one)
        #expect(try FaultFile.rules(in: Array("# none yet\n".utf8), name: "f.yaml").isEmpty)
    }

    @Test func `a rule whose time is over is read, because the clock of its world decides`() throws {
        let rules = try FaultFile.rules(in: Array("- {effect: {lose: true}, until: 5}".utf8), name: "f.yaml")
        #expect(rules == [FaultRule(.lose, until: 5000)])
    }

    @Test(arguments: [
        ("[\n{\"effect\":{\"lose\":true}},\n  {\"effekt\": 1}\n]", "faults.json: line 3, column 4: the key \"effekt\""),
        ("[\n{\"match\":{}}]", "faults.json: line 2, column 1: the key \"effect\" is missing"),
        ("[\n{\"effect\":{}}]", "faults.json: line 2, column 11: \"effect\" must have exactly one key of refuse"),
        ("[\n{\"effect\":{\"duplicate\":0}}]", "faults.json: line 2, column 24: \"duplicate\" must be a whole number"),
        ("[\n7]", "faults.json: line 2, column 1: this is a number; an object with the keys match, effect"),
        ("[\n{\"effect\":{\"lose\":true}},]", "faults.json: line 2, column"), ("", "faults.json: line 1, column 1"),
        ("\"lose\"", "this is a string"),
        ("[{\"effect\":{\"slow-accept\":\"1s\"},\"match\":{\"app\":\"a.b\"}}]", "\"match\" must be absent"),
    ])
    func `a fault is reported with file, line, key and what is wanted`(text: String, says: String) {
        #expect(detail(text)?.contains(says) == true, "\(detail(text) ?? "no fault")")
    }

    @Test func `a line of a file is named by its number`() {
        let text = "{\"effect\":{\"lose\":true}}\n\n{\"effect\":{\"lose\":\"x\"}}\n"
        #expect(detail(text, "f.ndjson") == "f.ndjson: line 3, column 19: \"lose\" must be true")
        let cut = detail("{\"effect\":{\"lose\":true}}\n{\"effect\"", "f.jsonl")
        #expect(cut?.contains("f.jsonl: line 2, column 10") == true)
    }

    @Test(arguments: [
        ("- effect: {lose: true}\n- effekt: 1\n", "f.yaml: line 2, column 3: the key \"effekt\" is not known here"),
        ("- effect:\n    lose: perhaps\n", "f.yaml: line 2, column 11: \"lose\" must be true"),
        ("- match: {world: -}\n  effect: {lose: true}\n", "f.yaml: line 1, column 18: \"world\" must be 1 to 63"),
        ("- effect: {lose: true}\n- 7\n", "f.yaml: line 2, column 3: this is a number; an object"),
        ("- effect: [\n", "f.yaml: line 2, column 1: it is not YAML"),
        ("lose\n", "f.yaml: line 1, column 1: this is a string"),
    ])
    func `a fault of YAML is reported with its line as well`(text: String, says: String) {
        #expect(detail(text, "f.yaml")?.hasPrefix(says) == true, "\(detail(text, "f.yaml") ?? "no fault")")
    }

    @Test func `more rules than a gateway takes are refused with the line of the first that is too many`() {
        let text = (0..<257).map { _ in "{\"effect\":{\"lose\":true}}\n" }.joined()
        #expect(detail(text, "f.ndjson")?.contains("f.ndjson: line 257, column 1: there are more than 256") == true)
    }
}
