import Foundation
import Testing

@testable import APNSModel

struct TopicTests {
    @Test(arguments: [
        "", "com example", "com.example/app", "com.exämple", "a\n", "*", String(repeating: "a", count: 256),
    ])
    func `a string with another character, or too long, is refused`(text: String) {
        #expect(Topic(text) == nil)
    }

    @Test(arguments: ["a", "com.example.App-1_x", "1", ".", String(repeating: "a", count: 255)])
    func `letters, digits, dot, hyphen and underscore are accepted`(text: String) {
        #expect(Topic(text)?.value == text)
    }

    @Test(arguments: [
        ("com.example.app", "", "com.example.app"), ("com.example.app.voip", ".voip", "com.example.app"),
        ("com.example.app.voip-ptt", ".voip-ptt", "com.example.app"),
        ("com.example.app.push-type.liveactivity", ".push-type.liveactivity", "com.example.app"),
        ("com.example.app.pushkit.fileprovider", ".pushkit.fileprovider", "com.example.app"),
        ("com.example.app.voipx", "", "com.example.app.voipx"), (".voip", ".voip", ""),
    ])
    func `the suffix of a push type is separated from the bundle id`(text: String, suffix: String, bundleID: String)
        throws
    {
        let topic = try #require(Topic(text))
        #expect(topic.suffix == suffix)
        #expect(topic.bundleID == bundleID)
    }

    @Test func `a topic has the push types of its suffix`() throws {
        #expect(try #require(Topic("com.example.app")).pushTypes == [.alert, .background, .mdm])
        #expect(try #require(Topic("com.example.app.voip")).pushTypes == [.voip])
        for type in PushType.known {
            let topic = try #require(Topic("com.example.app.complication")).topic(for: type)
            #expect(topic.value == "com.example.app" + (type.topicSuffix ?? "?"))
            #expect(topic.pushTypes.contains(type))
        }
        let topic = try #require(Topic("com.example.app.voip"))
        #expect(topic.topic(for: PushType(rawValue: "future")) == topic)
    }

    @Test func `one is encoded as its string, which is checked again`() throws {
        let topic = try #require(Topic("com.example.app"))
        #expect("\(topic)" == "com.example.app")
        let json = try JSONEncoder().encode([topic])
        #expect(String(decoding: json, as: UTF8.self) == #"["com.example.app"]"#)
        #expect(try JSONDecoder().decode([Topic].self, from: json) == [topic])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Topic].self, from: Data(#"["a b"]"#.utf8)) }
    }
}
