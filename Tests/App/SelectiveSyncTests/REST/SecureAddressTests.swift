import Foundation
import Testing

@testable import SelectiveSync

struct SecureAddressTests {
    @Test(
        arguments: [
            ("https://crm.example.com", true), ("HTTPS://crm.example.com:8443/", true), ("http://localhost:1", true),
            ("http://127.0.0.1", true), ("http://[::1]:80", true), ("http://crm.example.com", false),
            ("http://localhost.example.com", false), ("https://user@crm.example.com", false),
            ("https://user:word@crm.example.com", false), ("file:///etc/passwd", false), ("https:///path", false),
        ])
    func `a secret is sent over https or to this machine`(text: String, isSecure: Bool) throws {
        #expect(SecureAddress.isSecure(try #require(URL(string: text))) == isSecure)
    }

    @Test func `path and query of a call replace those of the instance`() throws {
        let instance = try #require(URL(string: "https://crm.example.com/old?a=1#part"))
        #expect(
            try SecureAddress.url(instance, "/services/data/", "q=x%2Cy").absoluteString
                == "https://crm.example.com/services/data/?q=x%2Cy")
        #expect(try SecureAddress.url(instance, "/p").absoluteString == "https://crm.example.com/p")
        let plain = try #require(URL(string: "http://crm.example.com"))
        #expect { try SecureAddress.url(plain, "/p") } throws: { ($0 as? FetchError)?.code == .badRequest }
    }
}
