import ConfigurationText
import Testing

@testable import apns

struct WorldInputTests {
    private static let yaml = """
        # The world of the mail team.
        devices: strict
        seed: 7
        registered-devices:
        - {topic: com.example.mail, token: "1234", low-power: yes}
        """

    @Test func `YAML is sent as the JSON that it stands for`() throws {
        let wanted =
            #"{"devices":"strict","seed":7,"registered-devices":"#
            + #"[{"topic":"com.example.mail","token":"1234","low-power":"yes"}]}"#
        for name in ["mail.yaml", "standard input"] {
            let input = try WorldInput(Array(Self.yaml.utf8), name: name)
            #expect(String(decoding: input.json, as: UTF8.self) == wanted)
        }
    }

    @Test func `JSON is sent as it is`() throws {
        let text = #"{ "seed": 7, "state": {"clock": 1} }"#
        let input = try WorldInput(Array(text.utf8), name: "before.json")
        #expect(String(decoding: input.json, as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("mail.yaml", "devices: strict\nseed: [7\n", "mail.yaml:3:1: it is not YAML"),
        ("mail.yaml", "# nothing\n", "mail.yaml: it is empty"),
        ("mail.json", "{\"seed\": 7,\n \"seed\" 8}", "mail.json:2:9: it is not JSON"),
    ])
    func `what cannot be read is named with its place in the file`(name: String, text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try WorldInput(Array(text.utf8), name: name) }
        let description = error.map { "\($0)" } ?? ""
        #expect(description.hasPrefix(message), "\(description)")
    }

    @Test func `what the gateway refuses is named with its place in the file`() throws {
        let detail = "the gateway answered 400: line 1, column 12: devices: \"strickt\" is none of open, strict"
        let text = Self.yaml.replacing("strict", with: "strickt").replacing("low-power", with: "lowpower")
        let yaml = try WorldInput(Array(text.utf8), name: "mail.yaml").refusal(detail).split(separator: "\n")
        #expect(yaml.first?.hasPrefix("mail.yaml:2:10: devices: \"strickt\" is none of") == true, "\(yaml)")
        #expect(yaml.last?.hasPrefix("mail.yaml:5:44: registered-devices[0].lowpower: ") == true, "\(yaml)")
        let json = try WorldInput(Array("{\n \"devices\": \"strickt\"\n}".utf8), name: "mail.json").refusal(detail)
        #expect(json.hasPrefix("mail.json:2:13: devices: \"strickt\" is none of"), "\(json)")
    }

    @Test func `the first errors in the file are named, in the order of their places`() throws {
        let text = """
            registered-devices:
            - {topic: com.example.mail, tokn: "1234"}
            - {topic: com.example.mail, tokn: "5678"}
            contested: {a: 1, b: 2, c: 3, d: 4}
            devices: strickt
            """
        let input = try WorldInput(Array(text.utf8), name: "mail.yaml")
        let lines = input.refusal("refused").split(separator: "\n")
        let places = lines.prefix(5).map { $0.split(separator: ":").prefix(3).joined(separator: ":") }
        #expect(
            places == ["mail.yaml:2:29", "mail.yaml:3:29", "mail.yaml:4:13", "mail.yaml:4:19", "mail.yaml:4:25"],
            "\(lines)")
        #expect(lines.last == "mail.yaml: there are 2 more errors")
    }

    @Test func `no place in what was sent is shown where the file seems right`() throws {
        let input = try WorldInput(Array(Self.yaml.utf8), name: "mail.yaml")
        let refusal = input.refusal("the gateway answered 400: line 1, column 3: there are too many devices")
        #expect(refusal == "mail.yaml: the gateway answered 400: there are too many devices")
        #expect(input.refusal("a world has another name") == "a world has another name")
    }
}
