// SPDX-License-Identifier: Apache-2.0
//
// raii.cpp - the same from C++: std::unique_ptr gives objects back
// Build: c++ -std=c++11 raii.cpp $(pkg-config --cflags --libs pagecodec)
//
#include <pagecodec.h>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

// The ten lines: a deleter for each kind of object, and a status that throws.
struct Release {
	void operator()(pagecodec_factory *p) const { pagecodec_factory_destroy(p); }
	void operator()(pagecodec_compressor *p) const { pagecodec_compressor_release(p); }
	void operator()(pagecodec_decompressor *p) const { pagecodec_decompressor_release(p); }
};
template <class Object> using Owned = std::unique_ptr<Object, Release>;

static void check(pagecodec_status status, const pagecodec_error &error)
{
	if (status != PAGECODEC_OK)
		throw std::runtime_error(error.message);
}

static std::string round_trip(pagecodec_factory *factory, int32_t codec, const std::string &page)
{
	pagecodec_error error;
	pagecodec_compressor *c;
	pagecodec_decompressor *d;

	check(pagecodec_compressor_get(factory, codec, nullptr, &c, &error), error);
	Owned<pagecodec_compressor> compressor(c);
	check(pagecodec_decompressor_get(factory, codec, nullptr, &d, &error), error);
	Owned<pagecodec_decompressor> decompressor(d);

	pagecodec_span part = {page.data(), page.size()}, packed;
	check(pagecodec_compress(c, &part, 1, nullptr, 0, &packed, &error), error);
	std::string plain(page.size(), '\0'); // decompressed straight into it
	pagecodec_span span;
	check(pagecodec_decompress(d, packed.data, packed.size, page.size(), &plain[0],
				   plain.size(), &span, &error),
	      error);
	return plain;
}

int main()
try {
	const std::string page(5000, 'p');
	pagecodec_factory *f;
	pagecodec_error error;

	check(pagecodec_factory_create(nullptr, &f, &error), error);
	Owned<pagecodec_factory> factory(f);
	bool is_same = round_trip(f, PAGECODEC_SNAPPY, page) == page;
	try {
		round_trip(f, 99, page);
		is_same = false;
	} catch (const std::runtime_error &unknown) {
		std::cout << "raii: a page came back; another was refused: " << unknown.what() << "\n";
	}
	return is_same ? 0 : 1;
} catch (const std::exception &failure) {
	std::cerr << "raii: " << failure.what() << "\n";
	return 1;
}
