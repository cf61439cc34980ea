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

    @Test func `an escape has two digits, also at the end`() {
        #expect(FormText.decodeBytes("a%41%2b+%3D".utf8) == Array("aA+ =".utf8))
        #expect(FormText.decodeBytes("%ff".utf8.dropFirst(0)) == [0xff])
        for text in ["%", "a%", "%4", "a%4", "%4g", "%g4"] {
            #expect(FormText.decodeBytes(text.utf8) == nil, "\(text)")
        }
        #expect(FormText.decodeBytes("".utf8) == [])
    }

    @Test func `parameters of a URL end at the fragment and have a limit`() {
        let parameters = FormText.parameters(ofURL: "https://x/?a=1&b&=2&a=3&d=5#c=4", limit: 10)
        #expect(parameters == ["a": "1", "b": "", "d": "5"])
        #expect(FormText.parameters(ofURL: "https://x/?a=1&b=2&c=3", limit: 2) == ["a": "1", "b": "2"])
        #expect(FormText.parameters(ofURL: "https://x/", limit: 2) == [:])
    }
}
