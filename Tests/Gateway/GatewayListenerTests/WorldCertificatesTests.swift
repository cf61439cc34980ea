import DevelopmentCredentials
import GatewayListener
import GatewayTesting
import TLSSession
import Testing

struct WorldCertificatesTests {
    @Test func `the host of a world has a certificate of its own`() throws {
        let credentials = try TestGateway.credentials.get()
        let facts = credentials.server.certificate
        let certificates = WorldCertificates(
            credentials.authority, CertificateValidity(notBefore: facts.notBefore, notAfter: facts.notAfter), maximum: 2
        )
        let identity = try #require(certificates.identity(for: "Orders.localhost"))
        #expect(identity.certificate.names == ["orders.localhost"])
        #expect(identity.certificate.notAfter == facts.notAfter)
        #expect(try certificates.identity(for: "orders.localhost")?.certificatePEM == identity.certificatePEM)
        for host in [nil, "localhost", "127.0.0.1", "example.com", ""] {
            #expect(certificates.identity(for: host) == nil)
        }
        for host in ["a.b.localhost", "-a.localhost"] {
            #expect(certificates.identity(for: host)?.certificate.names == [host])
        }
        for number in 0..<5 { #expect(certificates.identity(for: "w\(number).localhost") != nil) }
        #expect(try certificates.identity(for: "orders.localhost")?.certificatePEM != identity.certificatePEM)
    }

    @Test func `clients get a renewed certificate, and worlds new ones that are valid for as long`() throws {
        let credentials = try TestGateway.credentials.get()
        let facts = credentials.server.certificate
        let certificates = WorldCertificates(
            credentials.authority, CertificateValidity(notBefore: facts.notBefore, notAfter: facts.notAfter), maximum: 2
        )
        let old = try #require(certificates.identity(for: "orders.localhost"))
        let renewed = try credentials.renewed(at: facts.notAfter - 86_400).server
        certificates.use(renewed)
        for host in [nil, "localhost", "127.0.0.1", "example.com"] {
            #expect(try certificates.identity(for: host)?.certificatePEM == renewed.certificatePEM)
        }
        let new = try #require(certificates.identity(for: "orders.localhost"))
        #expect(new.certificate.names == ["orders.localhost"])
        #expect(new.certificate.notAfter == renewed.certificate.notAfter)
        #expect(try new.certificatePEM != old.certificatePEM)
    }
}
