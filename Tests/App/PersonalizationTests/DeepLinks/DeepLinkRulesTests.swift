import Testing

@testable import Personalization

struct DeepLinkRulesTests {
    let links = DeepLinkRules(hosts: ["www.example.com"])

    @Test(arguments: [
        ("https://www.example.com/p/copper-kettle-7300215.html", DeepLinkRoute(.product, "7300215")),
        ("https://www.example.com/c/kitchen/kettles", DeepLinkRoute(.category, "kitchen/kettles")),
        ("https://www.example.com/articles/how-to-descale", DeepLinkRoute(.article, "how-to-descale")),
        ("HTTPS://WWW.EXAMPLE.COM:443/c/kitchen/", DeepLinkRoute(.category, "kitchen")),
        ("https://www.example.com/c/caf%C3%A9#top", DeepLinkRoute(.category, "café")),
        // Decoded once, not twice.
        ("https://www.example.com/c/100%2525", DeepLinkRoute(.category, "100%25")),
        (
            "https://www.example.com/c/kettles?utm_campaign=spring+26&utm_source=a%26b&x=1&utm_source=c",
            DeepLinkRoute(.category, "kettles", campaign: ["utm_campaign": "spring 26", "utm_source": "a&b"])
        ),
    ])
    func `a link to a listed host leads to a place`(_ link: String, _ route: DeepLinkRoute) {
        #expect(links.outcome(of: link) == .route(route))
    }

    @Test(arguments: [
        "https://elsewhere.example.net/p/1.html", "https://example.com/p/1.html", "https://a.www.example.com/p/1.html",
        "https://www.example.com.evil.net/p/1.html", "https://www.example.com./p/1.html", "https://www.example.com",
        "https://www.example.com/other", "https://www.example.com/p/kettle.html",
        "https://www.example.com/articles/a/b",
    ])
    func `other https links are for outside`(_ link: String) { #expect(links.outcome(of: link) == .outside) }

    @Test(arguments: [
        ("http://www.example.com/p/1.html", DeepLinkRefusal.scheme), ("javascript:alert(1)", .scheme),
        ("myapp://p/1", .scheme), ("", .malformed), ("//www.example.com/p/1.html", .malformed),
        ("https:/www.example.com/p/1.html", .scheme), ("https://", .malformed), ("https:///p/1.html", .malformed),
        ("https://www.example.com@evil.net/p/1.html", .credentials),
        ("https://a:b@www.example.com/p/1.html", .credentials),
        ("https://www.example.com:8443/p/1.html", .port), ("https://www.example.com:/p/1.html", .port),
        ("https://www.example.com/c/../p/1.html", .path), ("https://www.example.com/c/%2e%2e/x", .path),
        ("https://www.example.com/c/%252e%252e/x", .path), ("https://www.example.com/c/a%2Fb", .path),
        ("https://www.example.com/c/a%5Cb", .path), ("https://www.example.com/c/a%00b", .path),
        ("https://www.example.com//evil.net/p/1.html", .path), ("https://www.example.com/c/./a", .path),
        ("https://www.example.com\\@evil.net/p/1.html", .malformed), ("https://www.example.com/c/a b", .malformed),
        ("https://www.example.com/c/a\nb", .malformed), ("https://www.example.com/c/caf\u{e9}", .malformed),
        ("https://www.ex\u{430}mple.com/p/1.html", .malformed), ("https://www.example%2ecom/p/1.html", .malformed),
        ("https://www.example.com/c/%zz", .encoding), ("https://www.example.com/c/%e", .encoding),
        ("https://www.example.com/c/%ff", .encoding),
    ])
    func `a hostile link is refused`(_ link: String, _ refusal: DeepLinkRefusal) {
        #expect(links.outcome(of: link) == .refused(refusal))
    }

    @Test func `a link of more than 2048 bytes is refused`() {
        let base = "https://www.example.com/c/"
        let longest = base + String(repeating: "a", count: LinkParts.maximumBytes - base.utf8.count)
        #expect(links.outcome(of: longest).route != nil)
        #expect(links.outcome(of: longest + "a") == .refused(.tooLong))
    }

    @Test func `the first rule that fits counts`() {
        var links = links
        links.rules.insert(DeepLinkRule("offer", after: ["c", "offers"], .name), at: 0)
        links.rules.append(DeepLinkRule("search", after: ["search"], .parameter("q")))
        #expect(links.outcome(of: "https://www.example.com/c/offers/spring").route == DeepLinkRoute("offer", "spring"))
        #expect(links.outcome(of: "https://www.example.com/c/offers").route == DeepLinkRoute(.category, "offers"))
        #expect(links.outcome(of: "https://www.example.com/search?q=kettle").route == DeepLinkRoute("search", "kettle"))
        #expect(links.outcome(of: "https://www.example.com/search?q=..%2F") == .outside)
        #expect(links.outcome(of: "https://www.example.com/search?q=%252e%252e%252fx") == .outside)
        #expect(
            links.outcome(of: "https://www.example.com/search?q=100%2525").route == DeepLinkRoute("search", "100%25"))
        links.hosts = ["WWW.Example.com"]
        #expect(links.outcome(of: "https://www.example.com/c/offers").route != nil)
        #expect(links.associatedPaths == ["/c/offers/*", "/p/*", "/c/*", "/articles/*", "/search/*"])
    }

    @Test func `a field that names the thing counts before a link`() {
        func outcome(_ fields: [String: String]) -> DeepLinkOutcome? { links.outcome { fields[$0] } }
        let link = "https://www.example.com/p/other-1.html"
        #expect(
            outcome(["ssot__ProductSKU__c": "7300215", "PurchaseUrl__c": link])
                == .route(DeepLinkRoute(.product, "7300215")))
        #expect(outcome(["PurchaseUrl__c": link]) == .route(DeepLinkRoute(.product, "1")))
        #expect(
            outcome(["ssot__ProductSKU__c": "../x", "PurchaseUrl__c": link]) == .route(DeepLinkRoute(.product, "1")))
        #expect(outcome(["PurchaseUrl__c": "javascript:1"]) == .refused(.scheme))
        #expect(outcome([:]) == nil)
    }

    @Test func `without a list no host leads anywhere`() {
        #expect(DeepLinkRules().outcome(of: "https://www.example.com/p/1.html") == .outside)
    }
}
