import DevelopmentCredentials
import GatewayConfiguration
import TLSSession
import Testing

struct WebhookTLSTests {
    @Test func `the context is made once`() throws {
        let tls = WebhookTLS(.certificates(pem: try DevelopmentCredentials.make().caPEM))
        let (first, second) = (try tls.context(), try tls.context())
        #expect(first === second)
    }

    @Test func `unreadable authorities are an error`() {
        let tls = WebhookTLS(.certificates(pem: Array("nonsense".utf8)))
        #expect(throws: TLSError.self) { try tls.context() }
    }
}
