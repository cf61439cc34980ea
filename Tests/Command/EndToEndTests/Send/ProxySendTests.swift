import Foundation
import ProxyTestSupport
import TLSSession
import Testing

/// `apns send` through a proxy, to a gateway process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProxySendTests {
    private static let device = String(repeating: "0", count: 62) + "ab"

    private static func arguments(_ gateway: LocalGateway) -> [String] {
        ["send", "--token", device, "--alert", "Hi"] + gateway.options
    }

    @Test func `--proxy reaches also a gateway on this machine, and its credentials are sent`() async throws {
        try await withLocalGateway { gateway, command in
            try await TestProxy.with { proxy in
                let result = try await command.run(
                    Self.arguments(gateway) + ["--proxy", "http://u:p%40ss@127.0.0.1:\(proxy.port)"])
                #expect(result.status == 0, "\(result.text)")
                #expect(proxy.heads.count == 1)
                #expect(proxy.heads.first?.contains("Proxy-Authorization: Basic dTpwQHNz\r\n") == true)
            }
        }
    }

    @Test func `HTTPS_PROXY is used for a gateway elsewhere, and NO_PROXY and --proxy none leave it out`() async throws
    {
        try await withLocalGateway { gateway, command in
            let port = Int(gateway.port)
            try await TestProxy.with({ _ in .tunnel(port: port) }) { proxy in
                // A name that only the proxy can resolve. The certificate is not for it, so the run ends there.
                let options = gateway.options.map {
                    $0 == gateway["gateway"] ? "https://gateway.example.invalid:8443" : $0
                }
                let arguments = ["send", "--token", Self.device, "--alert", "Hi"] + options
                let variables = ["HTTPS_PROXY": "http://u:secret@127.0.0.1:\(proxy.port)"]
                let through = try await command.run(arguments, environment: variables)
                #expect(through.status == 2 && !through.text.contains("secret"), "\(through.text)")
                #expect(proxy.heads.first?.hasPrefix("CONNECT gateway.example.invalid:8443 ") == true)
                let count = proxy.heads.count
                let local = try await command.run(Self.arguments(gateway), environment: variables)
                #expect(local.status == 0, "\(local.text)")
                let none = try await command.run(arguments + ["--proxy", "none"], environment: variables)
                let excepted = try await command.run(
                    arguments, environment: variables.merging(["NO_PROXY": "example.invalid"]) { $1 })
                #expect(none.status == 2 && excepted.status == 2)
                #expect(proxy.heads.count == count)
            }
        }
    }

    @Test func `a proxy of https is verified with the authorities of the system`() async throws {
        let validity = CertificateValidity(days: 2, from: Int64(Date().timeIntervalSince1970))
        let authority = try DevelopmentAuthority(validity: validity)
        let tls = try TLSContext.server(
            identity: try authority.server(host: "localhost", validity: validity), clientTrust: nil,
            requestsClientCertificate: false, alpn: ["http/1.1"])
        try await withLocalGateway { gateway, command in
            try command.write(String(decoding: try authority.certificatePEM, as: UTF8.self), to: "proxy-ca.pem")
            try await TestProxy.with(tls: tls) { proxy in
                let arguments = Self.arguments(gateway) + ["--proxy", "https://u:p@localhost:\(proxy.port)"]
                let foreign = try await command.run(arguments)
                #expect(foreign.status == 2, "\(foreign.text)")
                #expect(
                    foreign.errors.contains("the proxy localhost:\(proxy.port): the certificate of"),
                    "\(foreign.errors)")
                #expect(proxy.heads.isEmpty)
                let trusted = try await command.run(arguments, environment: ["SSL_CERT_FILE": "proxy-ca.pem"])
                #expect(trusted.status == 0, "\(trusted.text)")
                #expect(proxy.heads.first?.contains("Proxy-Authorization: Basic dTpw\r\n") == true)
            }
        }
    }

    @Test func `a proxy that refuses is what failed, with status 2`() async throws {
        try await withLocalGateway { gateway, command in
            let answer = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n"
            try await TestProxy.with({ _ in .text(answer) }) { proxy in
                let result = try await command.run(
                    Self.arguments(gateway) + ["--proxy", "127.0.0.1:\(proxy.port)"])
                #expect(result.status == 2)
                #expect(
                    result.errors.contains(
                        "the proxy 127.0.0.1:\(proxy.port) wants a user and a password (status 407)"),
                    "\(result.errors)")
                #expect(proxy.heads.count == 1)
            }
        }
    }

    @Test func `a proxy that cannot be read is named, without its password`() async throws {
        try await withLocalGateway { gateway, command in
            let option = try await command.run(
                Self.arguments(gateway) + ["--proxy", "socks5://u:secret@127.0.0.1:1"])
            #expect(option.status == 64 && option.errors.contains("--proxy: the proxy has the scheme socks5"))
            #expect(!option.errors.contains("secret"))
            let elsewhere = gateway.options.map { $0 == gateway["gateway"] ? "https://gateway.example.invalid" : $0 }
            let variable = try await command.run(
                ["send", "--token", Self.device, "--alert", "Hi"] + elsewhere,
                environment: ["HTTPS_PROXY": "http://u:secret@:1"])
            #expect(variable.status == 2 && variable.errors.contains("the environment variable HTTPS_PROXY: the proxy"))
            #expect(!variable.errors.contains("secret"))
        }
    }
}
