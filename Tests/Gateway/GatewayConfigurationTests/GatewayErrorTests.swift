import ConfigurationText
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import Testing

struct GatewayErrorTests {
    private static func file(_ text: String) -> GatewayFile {
        GatewayFile(Array(text.utf8), name: "g.yaml", folder: "") { _ in [] }
    }

    @Test(arguments: [
        ("port: 1\ncontrol-port: 1", "g.yaml:2:15: control-port: --port and --control-port are both 1"),
        ("webhooks: [\"http://192.0.2.1/\"]", "g.yaml:1:12: webhooks[0]: http://192.0.2.1:80/ sends"),
        ("host: 0.0.0.0", "g.yaml:1:7: host: 0.0.0.0 opens the control API"),
        ("record-files: 1001", "g.yaml:1:15: record-files: is 1001; 1 to 1000 files"),
    ])
    func `an error about a value of a file has its place`(text: String, wanted: String) {
        let file = Self.file(text)
        #expect(file.errors.isEmpty)
        let error = #expect(throws: GatewayError.self) { try file.configuration.check() }
        let placed = error?.placed(in: file)
        #expect(placed?.description.hasPrefix(wanted) == true, "\(placed?.description ?? "")")
    }

    @Test func `an error that is not about a value of the file has no place in it`() {
        let file = Self.file("port: 1")
        #expect(GatewayError(.portTaken, "port 1 is in use").placed(in: file) == nil)
        #expect(GatewayError(.badConfiguration, .host, "is wrong").placed(in: file) == nil)
        let error = GatewayError(.badConfiguration, "1 is wrong").about(.port)
        #expect(error.setting == .port && error.detail == "1 is wrong")
        #expect(error.placed(in: file)?.description == "g.yaml:1:7: port: 1 is wrong")
    }

    @Test(
        arguments: [
            (.badCredentials, .badCredentials), (.expiredCredentials, .expiredCredentials),
            (.cannotWrite, .cannotWrite),
        ] as [(CredentialsError.Code, GatewayError.Code)])
    func `an error of the credentials keeps its kind and its words`(
        code: CredentialsError.Code, wanted: GatewayError.Code
    ) {
        let error = GatewayError(CredentialsError(code, "it is wrong"))
        #expect(error.code == wanted && error.detail == "it is wrong" && error.setting == nil)
    }

    @Test func `what cannot be registered keeps its words`() {
        let error = GatewayError(registering: .badTopic("a b"))
        #expect(error.code == .badConfiguration)
        #expect(error.detail.hasSuffix(RegistrationError.badTopic("a b").description))
    }
}
