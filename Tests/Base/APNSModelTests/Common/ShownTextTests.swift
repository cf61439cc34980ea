import APNSModel
import Testing

struct ShownTextTests {
    @Test func `a text up to the limit is whole`() {
        #expect(ShownText.cut("éé", to: 2) == "éé")
        #expect(ShownText.cut("", to: 0) == "")
    }

    @Test func `a longer text is cut, with a mark and its length`() {
        #expect(ShownText.cut("éabc", to: 2) == "éa… (4 characters)")
    }
}
