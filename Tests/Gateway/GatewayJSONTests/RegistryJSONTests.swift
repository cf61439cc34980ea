import APNSModel
import GatewayCore
import GatewayJSON
import PayloadJSON
import ProviderToken
import Testing

struct RegistryJSONTests {
    @Test func `an app is shown with its capabilities in order`() {
        let app = RegisteredApp(topic: "com.example.agent", teamID: "ABCDE12345")
        #expect(
            app.json.text
                == #"{"topic":"com.example.agent","team-id":"ABCDE12345","capabilities":["broadcast","push"]}"#)
    }

    @Test func `a key is shown with what it may be used for`() throws {
        let verifyingKey = try SigningKey.generate().publicKey
        let team = ProviderKey(keyID: "ABC123DEFG", teamID: "ABCDE12345", verifyingKey: verifyingKey)
        #expect(
            team.json.text.hasPrefix(
                #"{"key-id":"ABC123DEFG","team-id":"ABCDE12345","kind":"team","environments":["production","sandbox"],"#
                    + #""revoked":false,"public-key":"-----BEGIN PUBLIC KEY-----\n"#))
        let topics = ProviderKey(
            keyID: "ABC123DEFG", teamID: "ABCDE12345", verifyingKey: verifyingKey, kind: .topics(["c.d", "a.b"]),
            environments: [.sandbox])
        #expect(topics.json.text.contains(#""kind":"topic","topics":["a.b","c.d"],"environments":["sandbox"],"#))
    }

    @Test func `a device is shown with all of its state`() throws {
        let sample = try SampleWorld()
        let token = try #require(DeviceToken("ab12"))
        let device = try #require(sample.world.device(token, in: .sandbox))
        #expect(
            device.json.text
                == #"{"token":"ab12","topic":"com.example.agent","environment":"sandbox","kind":"app","#
                + #""registered":"2026-11-21T07:00:00.000Z","registered-by":"client","installed":true,"online":true,"#
                + #""awake":true,"low-power":false,"low-data":false,"background-refresh":true,"notifications":true,"#
                + #""app-state":"background","budget":"default","counted":[],"channels":[],"listeners":0,"waiting":0,"#
                + #""stored":[]}"#)
    }

    @Test func `settings are shown under the keys that change them`() throws {
        let document = try JSONDocument(WorldSettings().json.bytes)
        #expect(document.members(of: .root).compactMap { document.string(of: $0.key) } == WorldSettings.keys)
    }
}
