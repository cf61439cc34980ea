import ServiceHost
import Testing

struct FormTextTests {
    @Test func `the first value of a name is decoded`() {
        #expect(FormText.value(of: "a", in: "b=1&a=x%20y+z&a=2") == "x y z")
        #expect(FormText.value(of: "é", in: "%C3%A9=1") == "1")
        #expect(FormText.value(of: "a", in: "a") == nil)
        #expect(FormText.value(of: "a", in: "a=%zz") == nil)
        #expect(FormText.value(of: "a", in: "a=%ff") == nil, "not UTF-8")
        #expect(FormText.value(of: "a", in: "a=%4") == nil)
    }

    @Test func `a plus sign is itself in a path`() {
        #expect(FormText.decode("a+b%2B", plus: "+") == "a+b+")
    }

    @Test func `parameters of a URL end at the fragment and have a limit`() {
        #expect(FormText.parameters(ofURL: "https://x/?a=1&b&=2&a=3#c=4", limit: 10) == ["a": "1", "b": ""])
        #expect(FormText.parameters(ofURL: "https://x/?a=1&b=2&c=3", limit: 2) == ["a": "1", "b": "2"])
        #expect(FormText.parameters(ofURL: "https://x/", limit: 2) == [:])
    }
}
